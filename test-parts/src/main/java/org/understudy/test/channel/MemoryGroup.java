package org.understudy.test.channel;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import java.util.function.Function;
import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.core.GroupView;
import org.understudy.replication.core.Message;
import org.understudy.replication.core.channel.GroupChannel;
import org.understudy.replication.core.channel.GroupReceiver;
import org.understudy.thread.DaemonThreads;

/**
 * A group whose members are in one process: one order of all messages and views, without loss. Each member receives at its
 * own pace. Messages are passed by reference, so they must not change. Thread-safe.
 */
public final class MemoryGroup {
  private final Function<ReplicaId, Executor> executors;
  /** In the order of joining. */
  private final Map<ReplicaId, Member> members = new LinkedHashMap<>();
  private long views;

  /** Each member receives on a thread of its own. */
  public MemoryGroup() {
    this(replica -> Executors.newSingleThreadExecutor(task -> daemon(task, replica)));
  }

  /** @param executors of each member: runs one task at a time; shut down when the member leaves if it is a service */
  public MemoryGroup(Function<ReplicaId, Executor> executors) {
    this.executors = executors;
  }

  private static Thread daemon(Runnable task, ReplicaId replica) {
    return DaemonThreads.daemon("memory-group-" + replica, task);
  }

  /**
   * The channel of one incarnation of a replica. An earlier incarnation that is still in the group leaves when this one
   * joins.
   */
  public GroupChannel channel(ReplicaId self) {
    return new Member(self, executors.apply(self));
  }

  /** Expels a replica, like a channel that suspects it. */
  public synchronized void expel(ReplicaId replica) {
    Member member = members.get(replica);
    if (member != null) {
      remove(member);
      member.enqueue(receiver -> receiver.failed("replica " + replica + " was expelled", null));
    }
  }

  private synchronized void join(Member member) {
    Member earlier = members.get(member.self);
    if (earlier != null) {
      remove(earlier);
    }
    members.put(member.self, member);
    install();
  }

  private synchronized void remove(Member member) {
    if (members.remove(member.self, member) && !members.isEmpty()) {
      install();
    }
  }

  private void install() {
    GroupView view = new GroupView(++views, List.copyOf(members.keySet()));
    order(receiver -> receiver.viewInstalled(view));
  }

  private synchronized void multicast(Member from, Message message) {
    if (members.get(from.self) == from) {
      order(receiver -> receiver.delivered(from.self, message));
    }
  }

  /** Gives the event its place in the order. */
  private void order(Consumer<GroupReceiver> event) {
    members.values().forEach(member -> member.enqueue(event));
  }

  private final class Member implements GroupChannel {
    private final ReplicaId self;
    private final Executor executor;
    private final Queue<Consumer<GroupReceiver>> events = new ConcurrentLinkedQueue<>();
    private volatile GroupReceiver receiver;
    private volatile boolean closed;

    Member(ReplicaId self, Executor executor) {
      this.self = self;
      this.executor = executor;
    }

    @Override
    public String name() {
      return "memory";
    }

    @Override
    public void join(GroupReceiver taker) {
      if (receiver != null || closed) {
        throw new IllegalStateException("Replica " + self + " has joined already; a channel serves one life.");
      }
      receiver = taker;
      MemoryGroup.this.join(this);
    }

    @Override
    public void multicast(Message message) {
      MemoryGroup.this.multicast(this, message);
    }

    @Override
    public void close() {
      closed = true;
      remove(this);
      events.clear();
      if (executor instanceof ExecutorService service) {
        service.shutdown();
      }
    }

    private void enqueue(Consumer<GroupReceiver> event) {
      if (!closed) {
        events.add(event);
        executor.execute(this::receiveNext);
      }
    }

    private void receiveNext() {
      Consumer<GroupReceiver> event = events.poll();
      if (event != null && !closed) {
        event.accept(receiver);
      }
    }
  }
}
