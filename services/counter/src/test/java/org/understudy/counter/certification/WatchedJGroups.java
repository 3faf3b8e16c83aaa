package org.understudy.counter.certification;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.understudy.channel.jgroups.JGroupsProvider;
import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.core.GroupView;
import org.understudy.replication.core.Message;
import org.understudy.replication.core.channel.GroupChannel;
import org.understudy.replication.core.channel.GroupChannelException;
import org.understudy.replication.core.channel.GroupChannelProvider;
import org.understudy.replication.core.channel.GroupChannelSettings;
import org.understudy.replication.core.channel.GroupReceiver;

/** The channel over JGroups, for tests that count what it delivers and end it. */
public final class WatchedJGroups implements GroupChannelProvider {
  static final String NAME = "watched-jgroups";

  private static final Map<ReplicaId, AtomicInteger> DELIVERED = new ConcurrentHashMap<>();
  private static final Map<ReplicaId, AtomicInteger> MEMBERS = new ConcurrentHashMap<>();
  private static final Map<ReplicaId, Watched> OPEN = new ConcurrentHashMap<>();

  /** The messages that the channels of a replica have delivered. */
  static int delivered(int replica) {
    return DELIVERED.computeIfAbsent(new ReplicaId(replica), any -> new AtomicInteger()).get();
  }

  /** The members of the last view of a replica's channel. */
  static int members(int replica) {
    return MEMBERS.computeIfAbsent(new ReplicaId(replica), any -> new AtomicInteger()).get();
  }

  /** Ends the channel of a replica as the end of its session would. */
  static void fail(int replica) {
    Watched open = OPEN.get(new ReplicaId(replica));
    open.channel.close();
    open.receiver.failed("the test ended it", null);
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public GroupChannel open(GroupChannelSettings settings) throws GroupChannelException {
    Watched open = new Watched(settings.self(), new JGroupsProvider().open(settings));
    OPEN.put(settings.self(), open);
    return open;
  }

  private static final class Watched implements GroupChannel {
    private final ReplicaId self;
    private final GroupChannel channel;
    private volatile GroupReceiver receiver;

    Watched(ReplicaId self, GroupChannel channel) {
      this.self = self;
      this.channel = channel;
    }

    @Override
    public String name() {
      return NAME;
    }

    @Override
    public void join(GroupReceiver taker) {
      receiver = taker;
      channel.join(new GroupReceiver() {
        @Override
        public void delivered(ReplicaId from, Message message) {
          DELIVERED.computeIfAbsent(self, any -> new AtomicInteger()).incrementAndGet();
          taker.delivered(from, message);
        }

        @Override
        public void viewInstalled(GroupView view) {
          MEMBERS.computeIfAbsent(self, any -> new AtomicInteger()).set(view.members().size());
          taker.viewInstalled(view);
        }

        @Override
        public void failed(String why, Throwable cause) {
          taker.failed(why, cause);
        }
      });
    }

    @Override
    public void multicast(Message message) {
      channel.multicast(message);
    }

    @Override
    public void close() {
      channel.close();
    }
  }
}
