package org.understudy.replication.runtime.channel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.understudy.replication.api.FailureCode;
import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.api.VersionHandle;
import org.understudy.replication.core.Effects;
import org.understudy.replication.core.Input;
import org.understudy.replication.core.Message;
import org.understudy.replication.core.Timing;
import org.understudy.replication.core.channel.GroupChannel;
import org.understudy.replication.core.channel.GroupReceiver;
import org.understudy.replication.core.limit.Limits;
import org.understudy.replication.core.request.Failure;
import org.understudy.replication.core.request.Reply;
import org.understudy.replication.core.request.Request;
import org.understudy.replication.core.request.Response;
import org.understudy.replication.runtime.Call;
import org.understudy.replication.runtime.Replica;
import org.understudy.replication.runtime.RuntimeSettings;
import org.understudy.replication.runtime.peer.Channels;
import org.understudy.replication.runtime.peer.PeerChannel;
import org.understudy.replication.runtime.peer.PeerReceiver;
import org.understudy.test.Condition;
import org.understudy.test.channel.MemoryGroup;
import org.understudy.test.strategy.StepStrategy;

/** From a strategy's multicast over the group channel into the steps of every replica, and back to the caller. */
class OrderedRequestsTest {
  private static final List<ReplicaId> ALL = List.of(new ReplicaId(1), new ReplicaId(2), new ReplicaId(3));

  /** A request that waits for its place in the order. */
  private record Ordered(ReplicaId at, long token) implements Message {
    @Override
    public long epoch() {
      return 0;
    }
  }

  private final MemoryGroup group = new MemoryGroup();
  private final Map<ReplicaId, Replica> replicas = new TreeMap<>();
  private final Map<ReplicaId, List<String>> logs = new TreeMap<>();

  /** Orders each request, and answers it with its place. */
  private void step(ReplicaId self, List<String> log, Input input, Effects out) {
    if (input instanceof Input.Requested requested) {
      out.multicast(new Ordered(self, requested.token()));
    } else if (input instanceof Input.ViewInstalled installed) {
      log.add("view " + installed.view().number());
    } else if (input instanceof Input.Delivered delivered && delivered.message() instanceof Ordered ordered) {
      log.add(delivered.from() + "." + ordered.token());
      if (ordered.at().equals(self)) {
        Response place = new Response((byte) 0, new byte[] {(byte) log.size()});
        out.reply(ordered.token(), new Reply(place, Reply.Status.EXECUTED, VersionHandle.INITIAL, 0));
      }
    }
  }

  private Replica open(ReplicaId self, Channels channels) throws Exception {
    Replica replica = prepare(self, channels);
    replica.join();
    return replica;
  }

  private Replica prepare(ReplicaId self, Channels channels) throws Exception {
    List<String> log = new CopyOnWriteArrayList<>();
    logs.put(self, log);
    Replica replica =
        Replica.prepare(
            new RuntimeSettings(
                self, ALL, Path.of("unused"), Timing.of(Duration.ofMillis(50), Duration.ofSeconds(1)), Limits.DEFAULTS,
                Duration.ofSeconds(20)),
            new StepStrategy((input, out) -> step(self, log, input, out)),
            channels);
    replicas.put(self, replica);
    return replica;
  }

  private static CompletableFuture<Object> submit(Replica replica) {
    CompletableFuture<Object> answer = new CompletableFuture<>();
    replica.submit(
        new Request(null, 0, Request.Kind.UPDATE, null, VersionHandle.INITIAL, 0, ""),
        new Call() {
          @Override
          public void execute(long token, Request.Kind kind) {
            throw new AssertionError("This strategy executes nothing.");
          }

          @Override
          public void reply(Reply reply) {
            answer.complete(reply);
          }

          @Override
          public void fail(Failure failure) {
            answer.complete(failure);
          }
        });
    return answer;
  }

  @AfterEach
  void close() {
    replicas.values().forEach(Replica::close);
  }

  @Test
  void everyReplicaStepsMessagesInTheSameOrder() throws Exception {
    for (ReplicaId self : ALL) {
      open(self, Channels.toGroup(group.channel(self)));
    }
    List<CompletableFuture<Object>> answers = new ArrayList<>();
    for (int i = 0; i < 30; i++) {
      answers.add(submit(replicas.get(ALL.get(i % 3))));
    }
    for (CompletableFuture<Object> answer : answers) {
      assertInstanceOf(Reply.class, answer.get(30, TimeUnit.SECONDS));
    }
    Condition.await("all messages everywhere", () -> logs.values().stream().allMatch(log -> count(log) == 30));
    List<String> first = logs.get(ALL.get(0));
    List<String> last = logs.get(ALL.get(2));
    assertEquals("view 3", last.get(0), "its first view is the one that takes it in");
    assertEquals(first.subList(first.indexOf("view 3"), first.size()), last);
    assertEquals(last, logs.get(ALL.get(1)).subList(1, logs.get(ALL.get(1)).size()));
  }

  private static long count(List<String> log) {
    return log.stream().filter(event -> !event.startsWith("view")).count();
  }

  @Test
  void replicaThatLeavesIsRemovedFromTheView() throws Exception {
    for (ReplicaId self : ALL) {
      open(self, Channels.toGroup(group.channel(self)));
    }
    replicas.remove(ALL.get(1)).close();
    Condition.await("a view without it", () -> logs.get(ALL.get(0)).contains("view 4"));
  }

  @Test
  void expelledReplicaHaltsWithTheReason() throws Exception {
    Replica replica = open(ALL.get(0), Channels.toGroup(group.channel(ALL.get(0))));
    assertNull(replica.halted());
    group.expel(ALL.get(0));
    Condition.await("it halts", () -> replica.halted() != null);
    assertEquals("its group channel memory failed (replica 1 was expelled)", replica.halted());
  }

  /** Closes its replica while it joins. */
  private static final class ClosingChannel implements GroupChannel {
    private Replica replica;
    private boolean joined;

    @Override
    public String name() {
      return "closing";
    }

    @Override
    public void join(GroupReceiver receiver) {
      replica.close();
      joined = true;
    }

    @Override
    public void multicast(Message message) {
      throw new AssertionError("No replica multicasts here.");
    }

    @Override
    public void close() {
      joined = false;
    }
  }

  @Test
  void replicaThatIsClosedWhileItJoinsLeaves() throws Exception {
    ClosingChannel channel = new ClosingChannel();
    channel.replica = prepare(ALL.get(0), Channels.toGroup(channel));
    channel.replica.join();
    assertFalse(channel.joined);
    assertEquals("it was closed", channel.replica.halted());
  }

  @Test
  void replicaWhoseChannelCannotJoinHaltsAndLeaves() throws Exception {
    List<String> events = new ArrayList<>();
    GroupChannel channel = group.channel(ALL.get(0));
    channel.close();
    Replica replica = open(ALL.get(0), new Channels(new RecordingPeers(events), channel));
    assertEquals(
        "it cannot join its group (java.lang.IllegalStateException: Replica 1 has joined already; a channel serves one life.)",
        replica.halted());
    assertEquals(List.of("started", "closed"), events);
  }

  /** Records what becomes of it. */
  private record RecordingPeers(List<String> events) implements PeerChannel {
    @Override
    public String name() {
      return "recording";
    }

    @Override
    public void open(PeerReceiver receiver) {
      // Nothing arrives.
    }

    @Override
    public void start() {
      events.add("started");
    }

    @Override
    public void send(ReplicaId to, List<Message> messages) {
      throw new AssertionError("No replica sends here.");
    }

    @Override
    public void close() {
      events.add("closed");
    }
  }

  @Test
  void multicastWithoutAGroupChannelHaltsTheReplica() throws Exception {
    Replica replica = open(ALL.get(0), Channels.NONE);
    Failure failure = assertInstanceOf(Failure.class, submit(replica).get(30, TimeUnit.SECONDS));
    assertEquals(FailureCode.OutcomeUnknown, failure.code());
    assertNotNull(replica.halted());
  }
}
