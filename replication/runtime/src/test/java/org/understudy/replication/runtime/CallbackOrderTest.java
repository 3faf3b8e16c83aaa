package org.understudy.replication.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.understudy.replication.api.Duty;
import org.understudy.replication.api.FailureCode;
import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.api.VersionHandle;
import org.understudy.replication.api.View;
import org.understudy.replication.core.Effects;
import org.understudy.replication.core.Input;
import org.understudy.replication.core.Message;
import org.understudy.replication.core.Role;
import org.understudy.replication.core.Rule;
import org.understudy.replication.core.Timing;
import org.understudy.replication.core.limit.Limits;
import org.understudy.replication.core.membership.MembershipMessage;
import org.understudy.replication.core.membership.MembershipRecord;
import org.understudy.replication.core.request.Failure;
import org.understudy.replication.core.request.Reply;
import org.understudy.replication.core.request.Request;
import org.understudy.replication.core.request.RequestKey;
import org.understudy.replication.core.request.Response;
import org.understudy.replication.core.update.StateChange;
import org.understudy.replication.runtime.peer.Channels;
import org.understudy.replication.runtime.peer.PeerChannel;
import org.understudy.replication.runtime.peer.PeerReceiver;
import org.understudy.replication.runtime.state.StateListener;
import org.understudy.test.strategy.StepStrategy;

/**
 * The order in which a replica carries out the effects of a step, see {@link Step}, and the ticks of its clock, see {@link
 * Ticks}.
 */
class CallbackOrderTest {
  private static final ReplicaId SELF = new ReplicaId(1);
  private static final ReplicaId PEER = new ReplicaId(2);
  private static final Timing TIMING = Timing.of(Duration.ofMillis(50), Duration.ofMillis(500));
  private static final View VIEW = new View(1, List.of(SELF, PEER));
  private static final MembershipRecord RECORD = new MembershipRecord(1, SELF, VIEW, VIEW, true);

  private final List<String> happened = new ArrayList<>();
  private final ManualHost host = new ManualHost();
  private Replica replica;

  private final class RecordingChannel implements PeerChannel {
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
      // There is nothing to start.
    }

    @Override
    public void send(ReplicaId to, List<Message> messages) {
      happened.add(messages.size() + " message(s) to " + to);
    }

    @Override
    public void close() {
      happened.add("channel closed");
    }
  }

  private void open(BiConsumer<Input, Effects> step) throws Exception {
    RuntimeSettings settings =
        new RuntimeSettings(
            SELF, List.of(SELF, PEER), null, TIMING, Limits.DEFAULTS, Duration.ofMillis(100));
    replica =
        Replica.open(settings, new StepStrategy(step), Channels.toPeers(new RecordingChannel()), host, Rule.ALL);
    for (String name : List.of("first", "second")) {
      replica.observe(
          new StateListener() {
            @Override
            public void onChange(String key, byte[] state) {
              happened.add(name + " hears of " + key);
            }

            @Override
            public void onReset() {
              happened.add(name + " forgets");
            }

            @Override
            public void stable(long index) {
              happened.add(name + " hears that " + index + " is stable, image has " + (replica.state("a") != null));
            }
          });
    }
    replica.listen(assignment -> happened.add("view " + assignment.view().epoch()));
    replica.duties().listen(Duty.EXPIRE_LEASES, epoch -> happened.add("duty begins in " + epoch));
    happened.clear();
  }

  @AfterEach
  void close() {
    replica.close();
  }

  private void submit() {
    Request request =
        new Request(
            new RequestKey.OfMessageId(1, 1), 0, Request.Kind.UPDATE, null, VersionHandle.INITIAL, 0, "");
    replica.submit(
        request,
        new Call() {
          @Override
          public void execute(long token, Request.Kind kind) {
            happened.add("execute");
          }

          @Override
          public void reply(Reply reply) {
            happened.add("reply");
          }

          @Override
          public void fail(Failure failure) {
            happened.add("fail " + failure.code());
          }
        });
  }

  private static void nameEverything(long token, Effects out) {
    out.execute(token, Request.Kind.UPDATE);
    out.changed(Role.PRIMARY, VIEW);
    out.stable(3);
    out.send(PEER, new MembershipMessage.Nack(1));
    out.applied(4, List.of(new StateChange("a", new byte[1])));
    out.reply(token, new Reply(new Response((byte) 0, new byte[0]), Reply.Status.EXECUTED, VersionHandle.INITIAL, 1));
    out.send(PEER, new MembershipMessage.Nack(2));
  }

  @Test
  void effectsAreCarriedOutInTheDocumentedOrder() throws Exception {
    open((input, out) -> {
      if (input instanceof Input.Requested requested) {
        nameEverything(requested.token(), out);
      }
    });
    submit();
    assertEquals(
        List.of(
            "first hears that 3 is stable, image has true", "first hears of a",
            "second hears that 3 is stable, image has true", "second hears of a",
            "2 message(s) to 2",
            "execute", "duty begins in 1", "view 1", "reply"),
        happened);
  }

  @Test
  void effectsBehindARecordWaitExceptStateChanges() throws Exception {
    open((input, out) -> {
      if (input instanceof Input.Requested requested) {
        out.store(9, RECORD);
        nameEverything(requested.token(), out);
      } else if (input instanceof Input.Stored stored) {
        happened.add("stored " + stored.token());
        out.send(PEER, new MembershipMessage.Nack(3));
      }
    });
    submit();
    assertEquals(4, happened.size(), happened.toString());
    happened.clear();
    ManualHost.Pending pending = host.disk.remove();
    assertEquals(List.of(RECORD), pending.records());
    pending.stored().run();
    assertEquals(
        List.of("stored 9", "3 message(s) to 2", "execute", "duty begins in 1", "view 1", "reply"), happened);
  }

  private void openAndAnswer() throws Exception {
    open((input, out) -> {
      if (input instanceof Input.Received) {
        out.changed(Role.BACKUP, VIEW);
        out.send(PEER, new MembershipMessage.Nack(1));
      }
    });
  }

  @Test
  void answersLeaveBeforeOtherEffects() throws Exception {
    openAndAnswer();
    replica.received(PEER, List.of(new MembershipMessage.Nack(1)), answers -> happened.add(answers.size() + " answer(s)"));
    assertEquals(List.of("1 answer(s)", "duty begins in 1", "view 1"), happened);
  }

  @Test
  void otherEffectsAreCarriedOutWhenTheAnswersCannotLeave() throws Exception {
    openAndAnswer();
    assertThrows(IllegalStateException.class, () -> replica.received(PEER, List.of(new MembershipMessage.Nack(1)), answers -> {
      throw new IllegalStateException("The connection is broken.");
    }));
    assertEquals(List.of("duty begins in 1", "view 1"), happened);
  }

  @Test
  void executionIsDecidedAfterStateListeners() throws Exception {
    open((input, out) -> {
      if (input instanceof Input.Requested requested) {
        out.execute(requested.token(), Request.Kind.UPDATE);
      } else if (input instanceof Input.Executed executed) {
        out.commit(executed.token(), 5, executed.changes());
        out.reply(
            executed.token(),
            new Reply((Response) executed.outcome(), Reply.Status.EXECUTED, VersionHandle.INITIAL, 1));
      }
    });
    submit();
    replica.executed(
        1, Map.of(), new Response((byte) 0, new byte[0]), List.of(new StateChange("a", new byte[1])),
        new Proposal() {
          @Override
          public void commit() {
            happened.add("commit");
          }

          @Override
          public void rollback() {
            happened.add("rollback");
          }
        });
    assertEquals(List.of("execute", "first hears of a", "second hears of a", "commit", "reply"), happened);
  }

  @Test
  void aTickStepsTheCoreThenEndsOverdueCalls() throws Exception {
    open((input, out) -> {
      if (input instanceof Input.Tick || input instanceof Input.Abandoned) {
        happened.add(input.getClass().getSimpleName());
      }
    });
    assertEquals(TIMING.heartbeatNanos() / 5, host.pauseNanos);
    submit();
    host.tick.run();
    host.monotonic += Duration.ofMillis(101).toNanos();
    host.tick.run();
    assertEquals(List.of("Tick", "Tick", "fail " + FailureCode.StillPending, "Abandoned"), happened);
  }

  @Test
  void haltedReplicaClosesItsChannelsAtTheNextTick() throws Exception {
    open((input, out) -> {
      if (input instanceof Input.Requested) {
        out.store(1, RECORD);
        out.send(PEER, new MembershipMessage.Nack(1));
      } else {
        happened.add(input.getClass().getSimpleName());
      }
    });
    submit();
    host.disk.remove().failed().accept(new java.io.IOException("No space left on device"));
    assertEquals(List.of("fail " + FailureCode.OutcomeUnknown), happened);
    host.tick.run();
    host.tick.run();
    assertEquals(List.of("fail " + FailureCode.OutcomeUnknown, "channel closed"), happened);
    assertEquals(
        "its membership record cannot be stored in null (No space left on device)", replica.halted());
  }
}
