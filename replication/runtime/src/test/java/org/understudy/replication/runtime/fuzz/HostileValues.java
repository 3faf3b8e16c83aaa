package org.understudy.replication.runtime.fuzz;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.understudy.replication.api.FailureCode;
import org.understudy.replication.api.ReadLevel;
import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.api.SessionId;
import org.understudy.replication.api.VersionHandle;
import org.understudy.replication.api.View;
import org.understudy.replication.api.decision.Decision;
import org.understudy.replication.api.decision.DecisionId;
import org.understudy.replication.api.decision.ParticipantRecord;
import org.understudy.replication.core.LoadBoard;
import org.understudy.replication.core.Message;
import org.understudy.replication.core.membership.MembershipMessage;
import org.understudy.replication.core.membership.RecoveryMessage;
import org.understudy.replication.core.order.OrderMessage;
import org.understudy.replication.core.request.Failure;
import org.understudy.replication.core.request.Outcome;
import org.understudy.replication.core.request.Request;
import org.understudy.replication.core.request.RequestKey;
import org.understudy.replication.core.request.Response;
import org.understudy.replication.core.session.SessionActivity;
import org.understudy.replication.core.store.Holdings;
import org.understudy.replication.core.store.Item;
import org.understudy.replication.core.time.GroupTime;
import org.understudy.replication.core.transfer.TransferMessage;
import org.understudy.replication.core.update.Eviction;
import org.understudy.replication.core.update.StateChange;
import org.understudy.replication.core.update.StateUpdate;
import org.understudy.replication.core.wire.WireVersions;

/** Requests, results and messages as an attacker, a faulty service or a faulty peer would make them. */
final class HostileValues {
  private static final long[] NUMBERS = {
    0, 1, 2, 3, 7, 100, -1, 1L << 32, (1L << 48) - 1, 1L << 48, (1L << 48) + 1, Long.MAX_VALUE - 1, Long.MAX_VALUE,
    Long.MIN_VALUE
  };
  private static final String[] TEXTS = {"", "a", "log/#", "/#", "x/#/#", "ann", "\u0000", "\ud800", "é".repeat(300)};

  private final Random random;
  private final int replicas;

  HostileValues(Random random, int replicas) {
    this.random = random;
    this.replicas = replicas;
  }

  private boolean flip() {
    return random.nextBoolean();
  }

  /** Sometimes near the group's current value, so that it passes the first check. */
  long number(long near) {
    return switch (random.nextInt(4)) {
      case 0 -> NUMBERS[random.nextInt(NUMBERS.length)];
      case 1 -> Math.max(0, near + random.nextInt(5) - 2);
      default -> near;
    };
  }

  private String text() {
    return TEXTS[random.nextInt(TEXTS.length)];
  }

  private byte[] bytes() {
    return new byte[random.nextInt(4) == 0 ? 5_000 : random.nextInt(40)];
  }

  private SessionId session() {
    return new SessionId(random.nextInt(3), random.nextInt(2));
  }

  private RequestKey key(long near) {
    return switch (random.nextInt(4)) {
      case 0 -> null;
      case 1 -> new RequestKey.OfMessageId(random.nextInt(5), NUMBERS[random.nextInt(NUMBERS.length)]);
      default -> new RequestKey.OfSession(random.nextInt(20) == 0 ? null : session(), number(near));
    };
  }

  /** A valid outcome for a request of this kind. */
  private RequestKey key(Request.Kind kind, long near) {
    return switch (kind) {
      case OPEN_SESSION -> nonce();
      case RENEW_SESSION, CLOSE_SESSION -> new RequestKey.OfSession(session(), number(near));
      default -> key(near);
    };
  }

  private RequestKey.OfNonce nonce() {
    return new RequestKey.OfNonce(random.nextInt(3), random.nextInt(2));
  }

  private long position(long near) {
    return Math.min(VersionHandle.MAX, Math.max(0, number(near)));
  }

  Request request(long near) {
    Request.Kind kind = Request.Kind.values()[random.nextInt(Request.Kind.values().length)];
    ReadLevel level =
        kind == Request.Kind.READ ? ReadLevel.values()[random.nextInt(ReadLevel.values().length)] : null;
    VersionHandle seen = VersionHandle.ofGroup(position(near), position(near));
    String principal = random.nextInt(30) == 0 ? null : random.nextInt(3) == 0 ? text() : "";
    String owner = random.nextInt(30) == 0 ? null : text();
    return new Request(
        key(kind, near), random.nextInt(3), kind, level, random.nextInt(30) == 0 ? null : seen, number(near), principal,
        owner);
  }

  Outcome outcome() {
    return switch (random.nextInt(8)) {
      case 0 -> null;
      case 1 -> new Response((byte) random.nextInt(), null);
      case 2 -> new Failure(FailureCode.values()[random.nextInt(FailureCode.values().length)], text().repeat(3));
      case 3 -> new Failure(null, null);
      default -> new Response((byte) random.nextInt(), bytes());
    };
  }

  /** Anything that a peer can send; never null. */
  private Outcome sentOutcome() {
    return flip()
        ? new Response((byte) random.nextInt(), bytes())
        : new Failure(FailureCode.values()[random.nextInt(FailureCode.values().length)], text());
  }

  List<StateChange> changes(boolean sent) {
    if (!sent && random.nextInt(20) == 0) {
      return null;
    }
    List<StateChange> changes = new ArrayList<>();
    for (int i = random.nextInt(4); i > 0; i--) {
      String resource = !sent && random.nextInt(30) == 0 ? null : text();
      changes.add(new StateChange(resource, random.nextInt(3) == 0 ? null : bytes()));
    }
    return changes;
  }

  private List<ReplicaId> some() {
    List<ReplicaId> some = new ArrayList<>();
    for (int i = 1; i <= replicas; i++) {
      if (flip()) {
        some.add(random.nextInt(some.size() + 1), new ReplicaId(random.nextInt(12) == 0 ? 64 : i));
      }
    }
    return some;
  }

  private View view(long epoch) {
    List<ReplicaId> members = some().stream().distinct().toList();
    return epoch <= 0 || members.isEmpty() ? View.NONE : new View(epoch, members);
  }

  private StateUpdate update(long near) {
    RequestKey key = random.nextInt(4) == 0 ? nonce() : key(near);
    DecisionId id = new DecisionId(1 + position(near), 1 + position(near));
    if (random.nextInt(8) == 0) {
      Decision decision = flip() ? Decision.COMMITTED : Decision.ABORTED;
      return StateUpdate.mark(Math.max(0, number(near)), decision, id, Eviction.NONE);
    }
    StateUpdate update = new StateUpdate(
        Math.max(0, number(near)), Request.Kind.values()[random.nextInt(Request.Kind.values().length)],
        key instanceof RequestKey.OfSession of && of.session() == null ? null : key, number(near), number(near), text(),
        number(near), sentOutcome(), changes(true), flip() ? Eviction.NONE : new Eviction(position(near), position(near)));
    return random.nextInt(8) == 0 ? prepared(update, id) : update;
  }

  private StateUpdate prepared(StateUpdate update, DecisionId id) {
    return flip() ? update.prepared(id) : update.prepared(id, new ParticipantRecord("urn:" + text(), bytes()));
  }

  private List<Item> items(long index) {
    List<Item> items = new ArrayList<>();
    for (int i = random.nextInt(6); i > 0; i--) {
      items.add(
          switch (random.nextInt(12)) {
            case 11 -> new Item.Slice(bytes());
            case 9 -> new Item.Prepared(prepared(update(index), new DecisionId(1 + position(index), 1 + position(index))));
            case 10 -> new Item.LastCommitted(new DecisionId(1 + position(index), 1 + position(index)));
            case 0 -> new Item.Resource(text(), number(1), bytes());
            case 5 -> new Item.Basis(position(index), position(index));
            case 6 -> new Item.Removed(text(), position(index));
            case 7 -> new Item.Resource(text(), number(1), position(index), bytes());
            case 8 -> new Item.Held(text());
            case 1 -> new Item.Session(session(), nonce(), text(), number(index), number(index));
            case 2 -> new Item.Unstable(update(index));
            case 3 -> new Item.Identities(new long[] {1, 2, 3, 4, number(index), 6, 7, 8, 9, number(index)});
            default ->
                new Item.StoredReply(
                    flip() ? new RequestKey.OfSession(session(), number(index)) : null, 1, Math.max(0, number(index)),
                    sentOutcome());
          });
    }
    return items;
  }

  /**
   * @param epoch that the group has reached
   * @param index that the group has reached
   * @param incarnation of the receiver
   */
  Message message(long epoch, long index, long incarnation) {
    long e = number(epoch);
    long life = flip() ? incarnation : number(incarnation);
    return switch (random.nextInt(24)) {
      case 0 -> new MembershipMessage.PreVote(e);
      case 1 -> new MembershipMessage.PreVoteReply(e, flip());
      case 2 -> new MembershipMessage.Prepare(e, flip());
      case 3 -> new MembershipMessage.Promise(
          e, view(number(epoch)), flip(), number(index), flip(), life, versions(), random.nextInt(4));
      case 4 -> new MembershipMessage.Nack(e);
      case 5 -> newView(e, epoch, index, incarnation);
      case 6 -> new MembershipMessage.Accepted(e, flip(), number(index));
      case 7 -> new MembershipMessage.Heartbeat(
          view(e), view(number(epoch)), number(epoch), number(index), number(index), flip(), random.nextInt(4),
          new LoadBoard(Map.of(new ReplicaId(1 + random.nextInt(3)), random.nextInt(LoadBoard.MAX))),
          new GroupTime(random.nextLong(), random.nextLong()), random.nextInt(1 << 16));
      case 8 -> new MembershipMessage.HeartbeatAck(
          e, number(epoch), flip(), flip(), flip() ? LoadBoard.UNKNOWN : random.nextInt(LoadBoard.MAX), random.nextLong(), flip(),
          random.nextInt(1 << 16));
      case 9 -> new OrderMessage.Ack(e, number(index), flip());
      case 10 -> new TransferMessage.Join(e, life, flip(), versions());
      case 11, 12 -> new TransferMessage.Snapshot(
          e, life, random.nextInt(3) == 0 ? random.nextInt(3) - 1 : 0, flip(), number(index), flip() ? 0 : position(3), items(index), 3);
      case 22 -> new TransferMessage.HoldingsQuery(e, life, position(index));
      case 23 -> new TransferMessage.HoldingsReply(e, life, holdings(epoch, index));
      case 14 -> new SessionActivity(e, List.of(session(), session()));
      case 15 -> new MembershipMessage.ReadRound(e, number(index));
      case 16 -> new MembershipMessage.ReadRoundAck(e, number(index));
      case 17 -> new RecoveryMessage.Survey(e, life);
      case 18 -> new RecoveryMessage.SurveyReply(e, life, view(number(epoch)), flip(), number(index), flip(), life);
      case 19 -> new RecoveryMessage.Readmit(e, life, view(number(epoch)));
      case 13 -> new TransferMessage.SnapshotAck(e, life, random.nextInt(4) - 1);
      default -> new OrderMessage.Update(e, number(index), update(index));
    };
  }

  private Holdings holdings(long epoch, long index) {
    List<Holdings.Range> ranges = new ArrayList<>();
    for (int i = random.nextInt(4); i > 0; i--) {
      ranges.add(new Holdings.Range(flip() ? text() : null, position(index)));
    }
    return new Holdings(position(3), position(epoch), ranges, flip() ? List.of() : List.of(text(), text()));
  }

  /** Replicas that an operator declares lost. */
  Map<ReplicaId, Long> lost(long incarnation) {
    Map<ReplicaId, Long> lost = new TreeMap<>();
    some().forEach(replica -> lost.put(replica, flip() ? incarnation : number(incarnation)));
    return lost;
  }

  private Message newView(long e, long epoch, long index, long incarnation) {
    View view = view(e);
    List<Long> lives = new ArrayList<>();
    view.members().forEach(member -> lives.add(flip() ? incarnation : number(epoch)));
    return new MembershipMessage.NewView(view, view(number(epoch)), number(index), some(), lives, flip() ? 1 : random.nextInt(4));
  }

  /** Wire versions of builds before and after this one. */
  private WireVersions versions() {
    int oldest = flip() ? 1 : 1 + random.nextInt(3);
    return new WireVersions(oldest, oldest + random.nextInt(3));
  }
}
