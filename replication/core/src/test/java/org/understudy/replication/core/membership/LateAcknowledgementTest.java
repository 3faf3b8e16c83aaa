package org.understudy.replication.core.membership;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.api.View;
import org.understudy.replication.core.Effects;
import org.understudy.replication.core.HandledEffects;
import org.understudy.replication.core.Message;
import org.understudy.replication.core.ReplicaSetup;
import org.understudy.replication.core.Role;
import org.understudy.replication.core.Rule;
import org.understudy.replication.core.Timing;
import org.understudy.replication.core.limit.Limits;
import org.understudy.replication.core.membership.MembershipMessage.Accepted;
import org.understudy.replication.core.membership.MembershipMessage.Heartbeat;
import org.understudy.replication.core.membership.MembershipMessage.HeartbeatAck;
import org.understudy.replication.core.membership.MembershipMessage.Promise;
import org.understudy.replication.core.record.Recovered;
import org.understudy.replication.core.transfer.TransferMessage.Join;

/** Acknowledgements that arrive late at a primary. Times are milliseconds: heartbeats every 50, leases of 137.5, suspicion after 500. */
class LateAcknowledgementTest {
  private static final ReplicaId ONE = new ReplicaId(1);
  private static final ReplicaId TWO = new ReplicaId(2);
  private static final ReplicaId THREE = new ReplicaId(3);

  private final Log log = new Log();
  private final Membership membership =
      new Membership(
          new ReplicaSetup(
              ONE, List.of(ONE, TWO, THREE), Recovered.NOTHING, 7, Timing.of(Duration.ofMillis(50), Duration.ofMillis(500)),
              Limits.DEFAULTS, Rule.ALL),
          log);
  private final List<String> warnings = new ArrayList<>();
  private Heartbeat heartbeat;
  private final Effects out =
      HandledEffects.by((name, arguments) -> {
        if (name.equals("warn")) {
          warnings.add((String) arguments[0]);
        }
        if (name.equals("send") && arguments[1] instanceof Heartbeat sent) {
          heartbeat = sent;
        }
      });

  /** What it replicates: updates that the test counts. */
  private static final class Log implements ReplicatedLog {
    private long end;
    private boolean delegated;

    @Override
    public boolean complete() {
      return true;
    }

    @Override
    public long received() {
      return end;
    }

    @Override
    public long stable() {
      return 0;
    }

    @Override
    public void freeze(long now, Effects out) {}

    @Override
    public void enter(long now, View view, long start, Effects out) {}

    @Override
    public void leave(long now, View view, Effects out) {}

    @Override
    public void suspend(long now, Effects out) {}

    @Override
    public void synchronise(long now, ReplicaId member, long from, Effects out) {}

    @Override
    public long acknowledged(ReplicaId member) {
      return end;
    }

    @Override
    public boolean sendsUpdates() {
      return !delegated;
    }

    @Override
    public void begin(long now, Effects out) {}

    @Override
    public List<ReplicaId> ready(long now) {
      return List.of();
    }
  }

  private static long at(long millis) {
    return millis * 1_000_000;
  }

  private void receive(long millis, ReplicaId from, Message message) {
    membership.receive(at(millis), from, message, out);
  }

  /** Leads the first view, which it has promised at 1,000. */
  private void lead(long accepted) {
    for (ReplicaId other : List.of(TWO, THREE)) {
      receive(1_000, other, new Join(0, other.number(), true));
    }
    membership.tick(at(1_000), out);
    for (ReplicaId other : List.of(TWO, THREE)) {
      receive(1_000, other, new Promise(1, View.NONE, true, 0, true, other.number()));
    }
    for (ReplicaId other : List.of(TWO, THREE)) {
      receive(accepted, other, new Accepted(1, true, 0));
    }
    membership.stored(at(accepted), Long.MAX_VALUE);
    assertEquals(Role.PRIMARY, membership.role());
  }

  private void acknowledge(long millis, long sentAt) {
    receive(millis, TWO, new HeartbeatAck(1, at(sentAt), true, true));
  }

  @Test
  void anAcknowledgedHeartbeatShowsAuthorityFromItsSending() {
    lead(1_000);
    membership.tick(at(1_100), out);
    acknowledge(1_600, 1_100);
    assertTrue(membership.mayExecute(at(1_600)));
    assertFalse(membership.mayExecute(at(1_601)), "the answer took as long as a suspicion");
    acknowledge(3_000, 1_200);
    assertFalse(membership.mayExecute(at(3_000)), "another view may have begun since");
  }

  @Test
  void anAcknowledgedUpdateShowsAuthorityFromTheLastHeartbeatBeforeIt() {
    lead(1_000);
    membership.tick(at(1_100), out);
    log.end = 3;
    membership.tick(at(1_200), out);
    log.end = 4;
    membership.updateAcknowledged(at(1_590), TWO, 3);
    assertTrue(membership.mayExecute(at(1_600)));
    assertFalse(membership.mayExecute(at(1_601)), "update 3 was sent after the heartbeat at 1,100");
    membership.updateAcknowledged(at(1_650), TWO, 4);
    assertTrue(membership.mayExecute(at(1_700)));
    assertFalse(membership.mayExecute(at(1_701)), "update 4 was sent after the one at 1,200");
    membership.updateAcknowledged(at(5_000), TWO, 4);
    assertFalse(membership.mayExecute(at(5_000)));
  }

  @Test
  void anIdlePrimaryKeepsOneTime() {
    lead(1_000);
    for (long now = 1_050; now <= 9_000; now += 50) {
      membership.tick(at(now), out);
    }
    log.end = 1;
    membership.updateAcknowledged(at(9_100), TWO, 1);
    assertTrue(membership.mayExecute(at(9_500)));
    assertFalse(membership.mayExecute(at(9_501)));
  }

  @Test
  void updatesThatAMemberHasPlacedCountFromBeforeTheirDelegation() {
    lead(1_000);
    membership.tick(at(1_100), out);
    log.delegated = true;
    membership.tick(at(1_200), out);
    log.end = 1;
    membership.updateAcknowledged(at(1_300), TWO, 1);
    assertTrue(membership.mayExecute(at(1_600)));
    assertFalse(membership.mayExecute(at(1_601)), "the delegate may have sent the update before 1,200");
  }

  @Test
  void aViewThatBeginsLongAfterItsPromisesHasNoAuthorityYet() {
    lead(1_501);
    assertFalse(membership.mayExecute(at(1_501)), "its voters may have promised another one");
    assertFalse(heartbeat.authority());
    acknowledge(1_510, 1_501);
    assertTrue(membership.mayExecute(at(2_001)));
  }

  @Test
  void aPrimaryIsWritableUnderALease() {
    lead(1_000);
    assertTrue(membership.mayExecute(at(1_000)));
    assertFalse(membership.writable(at(1_000)), "a replica that suspects it may form a view");
    acknowledge(1_002, 1_000);
    assertTrue(membership.writable(at(1_137)));
    assertFalse(membership.writable(at(1_138)), "voters that find its port closed are free");
    assertTrue(membership.mayExecute(at(1_138)));
  }

  @Test
  void aPrimaryWhoseLeasesAlwaysEndTooSoonReportsIt() {
    lead(1_000);
    for (long now = 1_050; now <= 6_000; now += 50) {
      membership.tick(at(now), out);
      acknowledge(now, now - 200);
      assertTrue(membership.mayExecute(at(now)));
    }
    assertEquals(
        List.of(
            "Replica 1 executes updates, but does not report that it is writable: the other replicas acknowledge its heartbeats later than"
                + " the longest lease of 500 ms lasts. Check them and the network to them; set understudy.heartbeat.ms to a tenth of the"
                + " round trip at least."),
        warnings);
  }
}
