package org.understudy.replication.core;

import java.util.List;
import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.api.SessionId;
import org.understudy.replication.api.View;

/** What replicas say to each other. The table in {@code docs/design} tells who sends what when. */
public interface Message {
  /** The epoch that the message belongs to; for a message outside any, the sender's promise. */
  long epoch();

  // ---- membership

  /** May I stand for election? Promises nothing; keeps a replica that was cut off from disturbing the others. */
  record Canvass(long epoch) implements Message {}

  /** @param epoch the voter's promise */
  record CanvassReply(long epoch, boolean granted) implements Message {}

  /** @param first whether every configured replica has told the candidate that it has never been in a view */
  record Prepare(long epoch, boolean first) implements Message {}

  /**
   * No more messages of a lower epoch are accepted by the sender.
   *
   * @param base the sender's accepted view of the highest epoch that had a majority as members
   * @param complete whether the sender holds a prefix of that view's updates (as a member or a joiner up to date)
   * @param received the last of them
   * @param voter whether the promise counts
   * @param incarnation which life of the sender promises
   * @param reads the wire versions that the sender reads
   * @param wire the wire version of the base, when the sender is complete; else it says nothing
   */
  record Promise(
      long epoch,
      View base,
      boolean complete,
      long received,
      boolean voter,
      long incarnation,
      WireVersions reads,
      int wire)
      implements Message {
    /** Of a replica of this build, with a base in its newest wire version. */
    public Promise(long epoch, View base, boolean complete, long received, boolean voter, long incarnation) {
      this(
          epoch, base, complete, received, voter, incarnation, WireVersions.CURRENT,
          WireVersions.CURRENT.newest());
    }
  }

  /** @param epoch the promise that stands in the way */
  record Refuse(long epoch) implements Message {}

  /**
   * @param base the view it follows, or {@code view} itself when that has a majority as members
   * @param start the last update of the new primary when the view begins
   * @param voters those whose promises were counted; a majority of them must accept
   * @param incarnations which life of each member promised, in the order of the members
   * @param wire the wire version of the view: its primary writes in no other, and every member reads it
   */
  record NewView(View view, View base, long start, List<ReplicaId> voters, List<Long> incarnations, int wire)
      implements Message {
    /** In the newest wire version of this build. */
    public NewView(View view, View base, long start, List<ReplicaId> voters, List<Long> incarnations) {
      this(view, base, start, voters, incarnations, WireVersions.CURRENT.newest());
    }

    public NewView {
      if (incarnations.size() != view.members().size()) {
        throw new IllegalArgumentException(incarnations.size() + " lives for " + view + ".");
      }
    }

    /** Whether it takes in this life of the replica. */
    public boolean names(ReplicaId replica, long incarnation) {
      int place = view.members().indexOf(replica);
      return place >= 0 && incarnations.get(place) == incarnation;
    }

    @Override
    public long epoch() {
      return view.epoch();
    }
  }

  /** @param member whether the sender is in the view with its state, and not merely a voter */
  record Accepted(long epoch, boolean member, long received) implements Message {}

  /**
   * @param base as in {@link NewView}
   * @param sentAt on the primary's clock
   * @param end the last update sent before it
   * @param stable the last stable update
   * @param authority whether a majority acknowledged the primary lately; without, it delays no election and gets no lease
   * @param wire the wire version of the view, a hint for joiners; 0 when the sender does not say
   */
  record Heartbeat(View view, View base, long sentAt, long end, long stable, boolean authority, int wire)
      implements Message {
    /** In the newest wire version of this build. */
    public Heartbeat(View view, View base, long sentAt, long end, long stable, boolean authority) {
      this(view, base, sentAt, end, stable, authority, WireVersions.CURRENT.newest());
    }

    @Override
    public long epoch() {
      return view.epoch();
    }
  }

  /**
   * Answers the heartbeat that was sent at {@code sentAt}.
   *
   * @param voter whether the sender's promises count
   * @param lease whether the sender grants a lease from {@code sentAt}
   */
  record HeartbeatAck(long epoch, long sentAt, boolean voter, boolean lease) implements Message {}

  /**
   * The primary asks whether its view is still the newest; read requests wait for the answer.
   *
   * @param round grows with each round of this primary
   */
  record ReadRound(long epoch, long round) implements Message {}

  /** The sender had promised no higher epoch when the round arrived. */
  record ReadRoundAck(long epoch, long round) implements Message {}

  /**
   * An operator's question: what do you hold?
   *
   * @param survey which survey asks; each has another number
   */
  record Survey(long epoch, long survey) implements Message {}

  /**
   * The same as in {@link Promise}, without promising anything.
   *
   * @param survey the number in the question
   */
  record SurveyReply(
      long epoch, long survey, View base, boolean complete, long received, boolean voter, long incarnation)
      implements Message {}

  /**
   * An operator's decision: this life of the receiver, which has no membership record, has a vote again, promises the epoch
   * to the sender, and holds nothing.
   *
   * @param base the sender's base
   */
  record Readmit(long epoch, long incarnation, View base) implements Message {}

  // ---- primary-backup

  /**
   * @param stable the last stable update, so that backups may apply up to it
   * @param wire the wire version that it is written in: that of the view
   */
  record Update(long epoch, long stable, StateUpdate update, int wire) implements Message {
    /** In the newest wire version of this build. */
    public Update(long epoch, long stable, StateUpdate update) {
      this(epoch, stable, update, WireVersions.CURRENT.newest());
    }
  }

  /**
   * Cumulative.
   *
   * @param received every update up to this one is held
   * @param gap whether a later one has been sent and is missing
   */
  record Ack(long epoch, long received, boolean gap) implements Message {}

  /**
   * From a backup: these sessions have read here, so they are alive.
   *
   * @param sessions a thousand at most
   */
  record SessionActivity(long epoch, List<SessionId> sessions) implements Message {}

  // ---- state transfer

  /**
   * Bring me up to date.
   *
   * @param virgin whether the sender has never been in a view
   * @param reads the wire versions that the sender reads
   */
  record Join(long epoch, long incarnation, boolean virgin, WireVersions reads) implements Message {
    /** Of a replica of this build. */
    public Join(long epoch, long incarnation, boolean virgin) {
      this(epoch, incarnation, virgin, WireVersions.CURRENT);
    }
  }

  /**
   * A part of the state as of one update.
   *
   * @param incarnation of the joiner that asked
   * @param part from 0
   * @param index the update that the whole shows
   * @param wire the wire version that it is written in: that of the view
   */
  record Snapshot(long epoch, long incarnation, int part, boolean last, long index, List<Item> items, int wire)
      implements Message {
    /** In the newest wire version of this build. */
    public Snapshot(long epoch, long incarnation, int part, boolean last, long index, List<Item> items) {
      this(epoch, incarnation, part, last, index, items, WireVersions.CURRENT.newest());
    }
  }

  record SnapshotAck(long epoch, long incarnation, int part) implements Message {}

  /** A thing in a {@link Snapshot}. */
  sealed interface Item {
    /** @param owner in whose share it is counted */
    record Resource(String id, long owner, byte[] state) implements Item {}

    /**
     * @param nonce that opened it
     * @param owner in whose share it is counted
     */
    record Session(SessionId id, RequestKey.OfNonce nonce, String principal, long owner, long ackBelow)
        implements Item {}

    /**
     * Identities of requests that are known by message id, in the order of their updates.
     *
     * @param words five a request: key (high, low), digest, owner, and the index of its update, negative when the
     *     request failed
     */
    record Identities(long[] words) implements Item {}

    /** An update that the resources and replies show already, and that is not stable yet: kept to pass it on. */
    record Unstable(StateUpdate update) implements Item {}

    record StoredReply(RequestKey key, long digest, long index, Outcome outcome) implements Item {}
  }
}
