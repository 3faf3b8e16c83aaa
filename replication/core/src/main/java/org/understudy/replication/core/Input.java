package org.understudy.replication.core;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.api.decision.Decision;
import org.understudy.replication.api.decision.DecisionId;
import org.understudy.replication.api.decision.ParticipantRecord;
import org.understudy.replication.core.request.Outcome;
import org.understudy.replication.core.request.Request;
import org.understudy.replication.core.request.RequestKey;
import org.understudy.replication.core.request.Response;
import org.understudy.replication.core.update.StateChange;

/** The events that a replica's core handles. */
public sealed interface Input {
  /**
   * A client's request. Answered by exactly one of execute, reply and fail; each execute is followed by {@link Executed} or
   * {@link Abandoned} with the same token.
   */
  record Requested(long token, Request request) implements Input {}

  /**
   * The service method has returned or thrown a fault, and its response is marshalled. The changes are a proposal until
   * {@link Effects#commit} or {@link Effects#rollback} names the token.
   *
   * @param versions the version, by key, of every resource that the method read, including its own. For a resource that
   *     does not exist, a version at which it did not. A key that ends with a slash stands for all keys with that prefix.
   *     See {@link Effects#applied} for versions
   * @param outcome the response, or a terminal failure; a failure has no changes and is stored for retries
   * @param branch whether a database has a part of the changes: the update takes effect when {@link Decided} says so
   * @param participant for the changes of a transaction that is prepared: the update takes effect when {@link CoordinatorDecided} says
   *     so. Otherwise null
   */
  record Executed(
      long token,
      Map<String, Long> versions,
      Outcome outcome,
      List<StateChange> changes,
      boolean branch,
      ParticipantRecord participant)
      implements Input {
    /** Of no distributed transaction. */
    public Executed(long token, Map<String, Long> versions, Outcome outcome, List<StateChange> changes, boolean branch) {
      this(token, versions, outcome, changes, branch, null);
    }

    /** Without a part in a database. */
    public Executed(long token, Map<String, Long> versions, Outcome outcome, List<StateChange> changes) {
      this(token, versions, outcome, changes, false, null);
    }
  }

  /**
   * The database has ended the transaction of an execution by itself, for example because of a deadlock. The execution has no
   * result; it is rolled back, and may be executed again.
   */
  record BranchAborted(long token) implements Input {}

  /**
   * The service has a part of its state in a database: comes once, before every other input. From then on, a new primary has the
   * database fenced before it serves anything.
   *
   * @param only whether the service keeps all its state there
   */
  record UsesDatabase(boolean only) implements Input {}

  /** The database has ceased to answer this replica for some time, or answers again. Until it comes, the database answers. */
  record DatabaseSeen(boolean answers) implements Input {}

  /**
   * The database has decided a prepared update, see {@link Effects#decide}.
   *
   * @param again whether the request of an aborted update may be executed again: false after a fence
   * @param executedBefore whether the update is aborted because the database holds the row of an earlier execution of its request
   */
  record Decided(long token, DecisionId id, Decision decision, boolean again, boolean executedBefore) implements Input {
    /** A decision about a request that has not been executed before. */
    public Decided(long token, DecisionId id, Decision decision, boolean again) {
      this(token, id, decision, again, false);
    }
  }

  /**
   * The coordinator of a transaction has decided its prepared update here, or an operator has in its place. Answered by {@link
   * Effects#settled}. The first decision counts.
   */
  record CoordinatorDecided(DecisionId id, Decision decision) implements Input {}

  /**
   * The database is fenced, see {@link Effects#fence}.
   *
   * @param view the epoch of the view for which it was requested
   * @param epoch the epoch that stands in the database
   * @param committed the prepared updates that have committed; the others never will
   */
  record Fenced(long view, long epoch, Set<DecisionId> committed) implements Input {}

  /**
   * Rows of the database, see {@link Effects#recall}.
   *
   * @param view the epoch of the view for which they were requested
   * @param replies what they contain
   * @param last the last of them; null when there are no more
   */
  record Recalled(long view, List<RecalledReply> replies, DecisionId last) implements Input {}

  /**
   * The answer of a request, as its row in the database contains it.
   *
   * @param id of the decision
   */
  record RecalledReply(DecisionId id, RequestKey key, long digest, Response response) {}

  /**
   * The database could not be fenced so far, or its rows could not be read. The runtime tries again; {@link Fenced} or {@link Recalled}
   * follows when it succeeds.
   *
   * @param view the epoch of the view for which it was requested
   * @param why a sentence for clients
   */
  record FenceFailed(long view, String why) implements Input {}

  /**
   * The execution of this token ends without a response; its changes are rolled back. For a waiting token whose caller has
   * been answered otherwise, the wait is cancelled and no answer follows.
   */
  record Abandoned(long token) implements Input {}

  /**
   * The execution of this token takes longer than it may, and its caller has been answered as {@link
   * org.understudy.replication.api.FailureCode#StillPending}. It goes on, and {@link Executed} or {@link Abandoned} follows.
   */
  record Overdue(long token) implements Input {}

  /** A message has arrived. The channel supplies the sender; messages can be duplicated, delayed or lost. */
  record Received(ReplicaId from, Message message) implements Input {}

  /** Follows a step that has requested {@link Effects#stepAgain}. Any other input may come before it, or in its place. */
  record Continued() implements Input {}

  /**
   * A multicast message has its place in the group's order. Every member, also the sender, receives the same messages in
   * the same order; {@link org.understudy.replication.core.channel.GroupChannel} lists what is not guaranteed.
   */
  record Delivered(ReplicaId from, Message message) implements Input {}

  /**
   * The group channel has installed a view, in order with the {@link Delivered} messages. A replica without a channel never
   * receives one.
   */
  record ViewInstalled(GroupView view) implements Input {}

  /**
   * The record of this token is durable, or one that supersedes it, and all records before it. The token is the last of
   * those stored together. Effects that waited for them have been released. Informational; not used when the replica keeps
   * no records.
   */
  record Stored(long token) implements Input {}

  /** An operator requests a survey of what each replica holds; see {@link ReplicaCore#surveyed}. */
  record Survey() implements Input {}

  /**
   * An operator declares that these replicas have lost their membership records and lets the group continue from what this
   * replica holds. Answered by a reply, or by a failure with the reason.
   *
   * @param lost the replicas declared lost, each with the incarnation that is readmitted, or 0 for none
   */
  record Recover(long token, Map<ReplicaId, Long> lost) implements Input {}

  /**
   * Time has passed. Expected several times per heartbeat interval.
   *
   * @param load the load index of this replica, or {@link LoadBoard#UNKNOWN}
   */
  record Tick(int load) implements Input {
    /** Without a load index. */
    public Tick() {
      this(LoadBoard.UNKNOWN);
    }
  }

  /** A hint, from a refused connection, that a replica's process is gone. Can be wrong. */
  record Suspected(ReplicaId replica) implements Input {}
}
