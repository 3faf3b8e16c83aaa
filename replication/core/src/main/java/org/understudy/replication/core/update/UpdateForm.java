package org.understudy.replication.core.update;

import java.util.ArrayList;
import java.util.List;
import org.understudy.replication.api.FailureCode;
import org.understudy.replication.core.request.Failure;
import org.understudy.replication.core.request.Outcome;
import org.understudy.replication.core.request.Request;
import org.understudy.replication.core.request.RequestKey;
import org.understudy.replication.core.request.Response;
import org.understudy.replication.core.wire.UnreadableException;
import org.understudy.replication.core.wire.WireReader;
import org.understudy.replication.core.wire.WireWriter;

/** Encodes and decodes state updates and their parts, which other messages contain too. */
public final class UpdateForm {
  /** The minimum size of a change: the length of a name and a flag for the state. */
  private static final int LEAST_CHANGE_BYTES = 6;

  /** Flags of the parts that an update can have at its end. */
  private static final int EVICTS = 1;

  private static final int CERTIFIED = 2;

  private static final int DECIDED = 4;

  private static final Request.Kind[] KINDS = Request.Kind.values();

  private UpdateForm() {}

  public static void write(StateUpdate update, WireWriter out) {
    out.i64(update.index());
    out.u8(update.kind().ordinal());
    write(update.key(), out);
    out.i64(update.digest());
    out.i64(update.ackBelow());
    out.string(update.principal());
    out.i64(update.owner());
    write(update.outcome(), out);
    out.i32(update.changes().size());
    for (StateChange change : update.changes()) {
      out.string(change.resource());
      out.bool(change.state() != null);
      if (change.state() != null) {
        out.bytes(change.state());
      }
    }
    boolean evicts = !update.eviction().equals(Eviction.NONE);
    out.u8((evicts ? EVICTS : 0) + (update.origin() == null ? 0 : CERTIFIED) + (update.decision() == null ? 0 : DECIDED));
    if (evicts) {
      out.i64(update.eviction().identitiesUpTo());
      out.i64(update.eviction().repliesUpTo());
    }
    if (update.origin() != null) {
      update.origin().write(update.changes(), out);
    }
    if (update.decision() != null) {
      update.decision().write(out);
    }
  }

  public static StateUpdate read(WireReader in) {
    long index = in.position();
    Request.Kind kind = KINDS[in.u8(KINDS.length - 1)];
    RequestKey key = readKey(in);
    long digest = in.i64();
    long ackBelow = in.i64();
    String principal = in.string();
    long owner = in.i64();
    Outcome outcome = readOutcome(in);
    List<StateChange> changes = changes(in);
    int parts = in.u8(EVICTS + CERTIFIED + DECIDED);
    Eviction eviction = (parts & EVICTS) == 0 ? Eviction.NONE : new Eviction(in.position(), in.position());
    Origin origin = (parts & CERTIFIED) == 0 ? null : Origin.read(changes, in);
    DecisionPart decision = (parts & DECIDED) == 0 ? null : DecisionPart.read(in);
    if (decision != null && !decision.isMark() && decision.id().index() != index) {
      throw new UnreadableException("A message holds the prepared update " + index + " under the id " + decision.id() + ".");
    }
    return new StateUpdate(
        index, kind, key, digest, ackBelow, principal, owner, outcome, changes, eviction, origin, decision);
  }

  private static List<StateChange> changes(WireReader in) {
    int count = in.count(LEAST_CHANGE_BYTES);
    List<StateChange> changes = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      changes.add(new StateChange(in.string(), in.bool() ? in.bytes() : null));
    }
    return changes;
  }

  /** @param key may be null */
  public static void write(RequestKey key, WireWriter out) {
    if (key instanceof RequestKey.OfSession of) {
      out.u8(1);
      out.session(of.session());
      out.i64(of.sequence());
    } else if (key instanceof RequestKey.OfMessageId of) {
      out.u8(2);
      out.i64(of.high());
      out.i64(of.low());
    } else if (key instanceof RequestKey.OfNonce of) {
      out.u8(3);
      out.i64(of.high());
      out.i64(of.low());
    } else {
      out.u8(0);
    }
  }

  /** Returns null when null was written. */
  public static RequestKey readKey(WireReader in) {
    return switch (in.u8(3)) {
      case 1 -> new RequestKey.OfSession(in.session(), in.i64());
      case 2 -> new RequestKey.OfMessageId(in.i64(), in.i64());
      case 3 -> new RequestKey.OfNonce(in.i64(), in.i64());
      default -> null;
    };
  }

  public static void write(Outcome outcome, WireWriter out) {
    if (outcome instanceof Failure failure) {
      out.u8(1);
      out.string(failure.code().name());
      out.string(failure.sentence());
    } else {
      Response response = (Response) outcome;
      out.u8(0);
      out.u8(response.format());
      out.bytes(response.body());
    }
  }

  public static Outcome readOutcome(WireReader in) {
    return in.bool() ? new Failure(code(in.string()), in.string()) : new Response((byte) in.u8(), in.bytes());
  }

  /** An unknown code could have any meaning, so the update that contains it is refused. */
  private static FailureCode code(String name) {
    try {
      return FailureCode.valueOf(name);
    } catch (IllegalArgumentException e) {
      throw new UnreadableException("A message holds the failure code " + name + ", which this replica does not know.");
    }
  }
}
