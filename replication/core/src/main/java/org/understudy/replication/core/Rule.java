package org.understudy.replication.core;

import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;

/**
 * The named rules on which safety rests. The code names a rule where it applies it. The simulation drops one at a time, and
 * a checker must then report a violation. More than 400 lines because each rule stands here with its sentence.
 */
public enum Rule {
  // ---- membership

  /** A replica refuses every message of an epoch below its promise. */
  FENCE_BY_EPOCH,
  /** A candidate forms a view only with promises of a majority of the configured replicas. */
  MAJORITY_PROMISES,
  /** The promise is on disk before it is sent, and is recovered after a crash. */
  PERSIST_PROMISE,
  /** Only members of the last accepted view, or joiners that hold as much, are in the next. */
  MEMBERS_FROM_LAST_VIEW,
  /** The member that holds the most updates becomes primary. */
  LONGEST_BECOMES_PRIMARY,
  /** A primary begins when every member of the view has accepted it and holds what the primary holds. */
  EVERY_MEMBER_SYNCHRONISED,
  /** A view with fewer members than a majority of the configured replicas executes no updates. */
  WRITABLE_WITH_MAJORITY,
  /** A replica that restarted has lost its state: it is no member until it is brought up to date. */
  RESTART_FORGETS,
  /** A replica with an empty disk has no vote until a view takes it in. */
  EMPTY_DISK_HAS_NO_VOTE,
  /** A view consists of the incarnations that promised: a replica that has lost its disk since is not a member. */
  VIEW_NAMES_LIVES,
  /** A replica that granted a lease promises to no other candidate until the lease ends. */
  LEASE_HOLDS_PROMISES,
  /** A jump between monotonic and wall clock voids the lease, because one of them stood still. */
  CLOCK_JUMP_VOIDS_LEASE,
  /** A replica that restarts promises nothing for as long as the longest lease that it may have granted. */
  RESTART_AWAITS_LONGEST_LEASE,
  /** A primary that does not reach its database gives way to a replica that does. */
  PRIMARY_WITHOUT_DATABASE_GIVES_WAY,
  /** A backup tells a candidate that is not in its view which view goes on without it. */
  MEMBERS_TELL_OF_THEIR_VIEW,
  /** Messages to a replica whose link is cut pass through a replica that hears both ends. */
  CUT_LINKS_ARE_BYPASSED,
  /** The wall clock of the group is that of a majority of the replicas whose clocks agree. */
  MAJORITY_OF_CLOCKS,
  /** A clock that was set is not one of that majority before it agrees with it, or has gone steadily for some time. */
  SET_CLOCK_DOES_NOT_COUNT,
  /** A new primary goes on counting the time that the one before it has told. */
  COUNTED_TIME_GOES_ON,
  /** A confirmed read waits for a round that was sent after the read arrived. */
  ROUND_AFTER_ARRIVAL,
  /** A replica that an operator readmits after the loss of its disk returns as an empty joiner. */
  READMITTED_IS_EMPTY,
  /** A recovery rests on answers to the last survey, and on a survey that was made a short time ago. */
  SURVEY_IS_RECENT,
  /** A view has the lowest wire version of its members: its primary writes nothing that one of them cannot read. */
  WIRE_OF_LOWEST_MEMBER,
  /** A joiner that cannot read the view's wire version gets neither state nor a place: the version never falls. */
  JOINER_READS_WIRE,

  // ---- failure detection

  /** A member is alive while it acknowledges, a primary while a majority acknowledges it; other messages are no evidence. */
  LIFE_IS_PROGRESS,
  /** An acknowledgement shows authority from when the primary sent what is acknowledged: a connection can deliver it long after. */
  AUTHORITY_FROM_SENDING,
  /** A primary that no majority acknowledges marks its heartbeats: they delay no election. */
  HEARTBEAT_SHOWS_AUTHORITY,
  /**
   * A member that acknowledges nothing while a view is being formed is left out of the next view if the others are a
   * majority.
   */
  STUCK_MEMBER_LEFT_OUT,
  /** A lagging member whose acknowledged index advances stays in the view. */
  SLOW_MEMBER_STAYS,
  /** A replica that was late itself restarts the timers by which it suspects others. */
  LATE_TICK_RESTARTS_TIMERS,
  /**
   * Consecutive late ticks restart the timers a limited number of times, so that a replica that is always late still
   * suspects others.
   */
  LATE_TICKS_ARE_BOUNDED,
  /** A primary whose own disk makes nothing durable gives way: its heartbeats show no authority. */
  STUCK_DISK_HAS_NO_AUTHORITY,
  /**
   * A replica that waits for its own disk neither starts nor supports an election: it could not store its promise. When the disk answers,
   * the others get half of the suspicion time, because disks that hang together do not answer in the same moment.
   */
  WAITING_DISK_MOVES_NO_VIEW,
  /** A backup that acknowledges updates confirms the primary's authority, even when acknowledgements of heartbeats are missing. */
  UPDATES_SHOW_AUTHORITY,
  /** A {@code Join} of the incarnation that the view took in is a late duplicate: the member has not lost its state. */
  LATE_JOIN_IS_IGNORED,
  /** A joiner that was invited to a view and did not join it is invited later each time. */
  QUARANTINE_ABSENT_JOINERS,
  /** A candidate leaves an attempt to one that comes before it and has asked too: otherwise they collide on long links. */
  JUNIOR_CANDIDATE_YIELDS,
  /**
   * A replica that has caught up, but is no member of the last view with a quorum, joins a small view: as it holds less than the members,
   * no view would take it in, and nobody would bring it up to date.
   */
  STATE_WITHOUT_MEMBERSHIP_JOINS,
  /** Where acknowledgements take long, a primary gets longer leases: else it would never be writable. */
  LEASE_FOLLOWS_ROUND_TRIP,
  /** A joiner behind a long link is invited as soon as it acknowledges as promptly as that link permits. */
  PROMPT_AS_ITS_LINK,
  /** An attempt to form a view lasts as many round trips as it needs: otherwise each ends the one before on long links. */
  ATTEMPTS_FOLLOW_ROUND_TRIPS,
  /**
   * A joiner that acknowledges promptly is invited although it always lacks many updates: where the updates of a round trip are many, so
   * many are always on their way to it.
   */
  JOINER_MAY_LACK_WHAT_IS_ON_ITS_WAY,
  /** Clients wait for a joiner that has had the state for long and does not catch up while they go on. */
  CLIENTS_WAIT_FOR_JOINER,
  /** A replica that is repeatedly left out becomes a member later each time, unless it is needed for a majority. */
  QUARANTINE_FLAPPING,

  // ---- primary-backup

  /** A reply waits until every backup of the view has the state update. */
  STABLE_ON_EVERY_BACKUP,
  /** A read is answered only when every update that it saw is stable. */
  READ_ONLY_STABLE,
  /**
   * A read that a backup admitted and that ends after its promotion is answered only when every update that it saw is
   * stable.
   */
  PROMOTED_READ_STABLE,
  /** A linearizable read is answered only under a lease that was valid after it read. */
  READ_UNDER_LEASE,
  /** A primary reports that it is writable only under a lease, so that no two replicas report it at a time. */
  WRITABLE_UNDER_LEASE,
  /** A backup takes updates in the order of their indexes, without gaps. */
  NO_GAPS,
  /** A backup applies an update only when it knows it to be stable. */
  APPLY_WHEN_STABLE,
  /** What a step has left for the next one is done at the beginning of that, whichever input it has. */
  LEFT_WORK_COMES_FIRST,
  /** A session read waits until the replica has applied what the client has seen. */
  READ_AT_VERSION_HANDLE,
  /** A read that met updates of other replicas is answered only if all that it read is of one state; otherwise it runs again. */
  READS_SEE_ONE_STATE,
  /** A version handle of a later epoch has no lower position, so a client can compare handles by epoch first. */
  HANDLES_ASCEND,
  /** A request whose caller has been answered otherwise frees its place in the queue. */
  GIVEN_UP_FREES_PLACE,

  // ---- exactly once

  /** A request whose reply is stored gets the stored reply. */
  REPLAY_STORED_REPLY,
  /** A request that is being executed is not executed concurrently a second time. */
  ONE_EXECUTION_AT_A_TIME,
  /** A request whose reply is evicted is known as executed while its identity is kept. */
  IDENTITY_OUTLIVES_REPLY,
  /** The primary decides evictions from the reply table, and they are part of state updates. */
  EVICTIONS_IN_UPDATES,
  /** A session's id is derived from the update that opened it: a closed session never opens again. */
  SESSION_ID_OF_ITS_UPDATE,
  /** The changes of an execution are dropped when it is not committed. */
  UNDO_WHAT_DOES_NOT_STAND,
  /** An execution that makes the state or a reply larger than a limit is rolled back. */
  BYTES_WITHIN_LIMITS,
  /** A state transfer shows the state as of one update, although the state changes while its parts are sent. */
  SNAPSHOT_AT_ONE_INDEX,
  /** A state transfer includes the owner that pays for each key of the state. */
  OWNERS_IN_TRANSFER,
  /** A state transfer includes the removals of resources that the joiner may still hold. */
  REMOVALS_IN_TRANSFER,
  /** A joiner names the resources that it changed after the last stable update: it does not hold them. */
  UNSTABLE_RESOURCES_ARE_LACKING,
  /** What an interrupted transfer brought is held up to its last key, and as of its own update. */
  INTERRUPTED_UP_TO_LAST_KEY,
  /** The reply table is part of state updates. */
  REPLY_TABLE_IN_UPDATES,
  /** The reply table is part of state transfer. */
  REPLY_TABLE_IN_TRANSFER,
  /** A sequence number that the client has acknowledged is refused. */
  REFUSE_STALE_SEQUENCE,
  /** A request of an unknown session is refused. */
  REFUSE_UNKNOWN_SESSION,
  /** Another body under the same sequence number is refused. */
  REFUSE_OTHER_BODY,
  /** A session that only reads, at any replica and at any level, does not expire. */
  READS_KEEP_SESSIONS,
  /**
   * A replica reports a session at once when it becomes active there, and again: the first lease of a session is short, and a report can
   * be lost.
   */
  ACTIVITY_IS_REPORTED_IN_TIME,
  /** A session with a request in progress at any replica does not expire, however long the method takes. */
  RUNS_KEEP_SESSIONS,
  /** The time in which no replica could hear a session, for example without a majority, is not counted towards its lease. */
  OUTAGES_KEEP_SESSIONS,

  // ---- group: certification (Bartoli et al. 2005, Fig. 2 and 3)

  /** An update takes effect only if nothing that its run read, created, wrote or destroyed has changed since. */
  CERTIFY_EVERY_VERSION,
  /** A duplicate that is found at its place in the order gets the stored answer, also from the replica that proposed it. */
  DUPLICATES_GET_STORED_ANSWER,
  /** The first request of a client can be a duplicate like any other. */
  FIRST_REQUEST_IS_CHECKED,
  /** A duplicate of any request that is kept is answered, not only one of the last two. */
  OLD_REQUESTS_ARE_ANSWERED,
  /** After a view change, a replica proposes again only what the view has lost. */
  PROPOSE_ONLY_THE_LOST_AGAIN,
  /** A request whose runs were refused a number of times runs while no other run that its turn excludes takes effect. */
  TURN_AFTER_REFUSALS,
  /**
   * A turn excludes only runs that change what the last run of its request has touched, and lasts as long as a method may: a slow method
   * neither starves nor stops the group.
   */
  TURN_EXCLUDES_ITS_KEYS,
  /** A request that two turns have not helped fails, not executed, instead of running again without end. */
  STARVED_REQUEST_FAILS,
  /** A replica that has lost the majority refuses no update that it has proposed: the update may still get its place. */
  PROPOSED_IS_NOT_REFUSED,
  /** Whatever a request waits for at a replica: if it repeats an update that was executed or proposed there, it is not refused. */
  REPETITION_IS_NOT_REFUSED,
  /** A replica answers a linearizable read after it has applied what was stable when the read arrived. */
  READ_INDEX_AFTER_ARRIVAL,
  /** A member answers a renewal when the sequencer, which ends sessions, has it. */
  RENEWED_WHERE_SESSIONS_END,
  /** A proposer that answers before the sequencer knows its update to be stable has the acknowledgement of every other member. */
  PROPOSER_COUNTS_EVERY_MEMBER,
  /** A proposer that has placed its update itself has the acknowledgement of the sequencer too, which names it to readers. */
  PROPOSER_COUNTS_THE_SEQUENCER,
  /** A sequencer that has delegated the order to a member places nothing before it has the order back. */
  DELEGATED_ORDER_IS_NOT_USED,
  /** A sequencer has the order back when it holds everything that the delegate has placed. */
  RETURN_AWAITS_UPDATES,
  /** A delegate places its first update when it holds everything that was placed before the delegation. */
  DELEGATE_HOLDS_ALL,
  /** A member that has returned a delegation, or was asked to before it had it, does not use it when it arrives again. */
  RECALLED_DELEGATION_IS_VOID,
  /** A linearizable read shows every update that the sequencer has placed for a proposer that counts: it may have answered. */
  READ_INDEX_OF_EVERY_PLACE,
  /** A member reports that it is writable while it receives heartbeats that its primary has sent lately, not old ones after a pause. */
  MEMBER_WRITABLE_WHILE_HEARD,
  /** The versions by which updates are certified are part of state transfer. */
  VERSIONS_IN_TRANSFER,
  /** A joiner that lacks few updates is invited to a view, although clients go on writing. */
  JOINER_INVITED_UNDER_LOAD,
  /** A joiner whose acknowledgements stay late is invited all the same after some time. */
  LATE_JOINER_INVITED_AT_LAST,
  /** What the group has room for is decided at an update's place in the order, by the limits of one replica. */
  LIMITS_AT_THE_PLACE,

  // ---- group: proposals that a group channel delivers

  /** A member appends a proposal at the place that the primary of its view gave it, in whatever order a channel delivers. */
  PLACE_FROM_SEQUENCER,
  /** A member acknowledges a place only when it holds the content of the proposal too. */
  PLACE_NEEDS_CONTENT,
  /** The content of a place is the proposal of the same epoch: proposals are numbered anew in each epoch. */
  CONTENT_OF_ITS_EPOCH,
  /** A message that a group channel has delivered here, or its view, is no acknowledgement of another member. */
  DELIVERY_IS_NO_ACKNOWLEDGEMENT,

  // ---- journal

  /** A replica acknowledges an update, and counts its own share of it, when its journal has the update durably. */
  DURABLE_BEFORE_ACKNOWLEDGED,
  /**
   * A replica has its state after a restart only if its journal is whole and goes up to the last view in which updates can have become
   * stable.
   */
  JOURNAL_OF_LAST_VIEW,

  // ---- updates that a database decides

  /** A prepared update changes nothing at any replica before its mark. */
  PREPARED_HAS_NO_EFFECT,
  /** A database decides an update only when every replica of the view has stored it. */
  PREPARED_BEFORE_DECIDED,
  /** The objects of a prepared update stay locked until it is decided. */
  LOCKED_UNTIL_DECIDED,
  /** A request whose update is prepared is answered when its mark is stable. */
  REPLY_AFTER_MARK,
  /** When the database has aborted an update, its changes in memory are undone too. */
  ABORT_UNDOES_MEMORY,
  /** A new primary serves nothing before the database is fenced and every prepared update has its mark. */
  SERVE_AFTER_FENCE,
  /** A replica without the primary's role serves no read of a service with state in a database. */
  BACKUPS_READ_NO_DATABASE,
  /** Prepared updates are part of state transfer. */
  PREPARED_IN_TRANSFER,
  /** A new primary raises the epoch of the database. */
  FENCE_AT_PROMOTION,
  /** A new primary reads which prepared updates have committed after it has raised the epoch. */
  READ_AFTER_FENCE,
  /** A transaction commits only if the epoch of the database, which it reads under a lock, is its own. */
  EPOCH_IN_TRANSACTION,
  /** After a lost COMMIT, the row is read only when no transaction can write it any more. */
  RESOLVE_EXCLUDES_LATE_COMMIT,
  /** A decision is forgotten in the database only when its mark is stable. */
  FORGET_WHEN_MARKED,
  /** An update that commits in one phase is answered when its COMMIT has returned. */
  ANSWER_AFTER_COMMIT,
  /** A new primary has the replies of all rows in its reply table before it serves anything. */
  RECALL_BEFORE_SERVING,
  /** The row of a request that is known by message id stays as long as its identity. */
  ROWS_KEEP_IDENTITIES,

  // ---- updates that the coordinator of a transaction decides

  /** A participant votes for its transaction only when every replica of the view has stored its prepared update. */
  VOTE_AFTER_STABLE,
  /** A new primary keeps the updates that coordinators decide undecided until they have. */
  NO_GUESS,
  /** No execution that read or changed what an undecided update of a transaction changes takes effect, at any primary. */
  IN_DOUBT_STAYS_LOCKED,
  /** A participant acknowledges a decision only when every replica of the view knows it. */
  ACKNOWLEDGE_STABLE_MARK,
  /** A coordinator decides to commit only when every participant has voted so. */
  EVERY_VOTE_BEFORE_DECISION,
  /** A coordinator sends a commit only when every replica of its view has the decision. */
  DECISION_BEFORE_COMMIT,
  /** A transaction without a decision is aborted only if it is not open at the coordinator. */
  ABORTED_UNLESS_OPEN,
  /** A transaction aborts if a group has lost its part, and begins another one. */
  LOST_PART_ABORTS,
  /** A coordinator forgets a commit only when every participant has acknowledged it. */
  FORGET_AFTER_ALL_ACKNOWLEDGED,
  /** A coordinator takes a missing decision for an abort only if the transaction was begun in its present life. */
  OTHER_LIFE_IS_UNKNOWN,
  /** A client that ends a transaction of another life learns that its outcome is unknown. */
  CLIENT_OF_OTHER_LIFE_LEARNS_IT,
  /** The life of a coordinator's group is stable before a transaction is begun in it. */
  LIFE_BEFORE_TRANSACTION,

  // ---- the database parts of such updates

  /** The branch of an update is prepared in the database before the update enters the log. */
  BRANCH_BEFORE_UPDATE,
  /** A branch marks its row as committed in its own transaction, so that no branch is prepared or ended without its row. */
  BRANCH_MARKS_ITS_ROW,
  /** A branch that an update in doubt names ends only as the coordinator has decided. */
  BRANCH_AS_DECIDED,
  /** A branch ends before the mark of its update enters the log. */
  BRANCH_BEFORE_MARK,
  /** The row of a branch stays until the mark of its update is stable. */
  ROW_UNTIL_STABLE_MARK,
  /** A primary rolls back the branches that former primaries have left, and that its log does not name. */
  LEFT_BRANCHES_END,
  /** A replica confirms that it is the primary after it has looked for such branches, and before it ends them. */
  CONFIRMED_BEFORE_BRANCHES_END,
  /** A branch whose vote a group may have lost with its memory ends only as its coordinator has decided, or an operator. */
  LOST_VOTES_WAIT,
  /** A group ends the lost branch of a participant that it does not know before it acknowledges a decision about it. */
  LOST_BRANCH_BEFORE_ACKNOWLEDGEMENT,
  /**
   * Where a coordinator cannot name the branches of its participants, a group that may have lost votes answers nothing about a participant
   * that it does not know.
   */
  UNKNOWN_UNTIL_CHECKED,
  /** A primary looks for branches only when it has fenced the database: before, it sees none, and would take none for lost. */
  SWEEP_AFTER_FENCE,
  /** An operator's decision is kept only when the branch has ended so: the coordinator's may have ended it otherwise before. */
  BRANCH_BEFORE_OPERATOR_DECISION,
  /** A kept decision of an operator about a lost branch is forgotten when the database can never end the branch so. */
  REFUSED_DECISION_IS_DROPPED,
  /** An operator's decision about a lost branch is kept only if the database still has that: the coordinator's may have ended it. */
  LOST_BRANCH_BEFORE_OPERATOR_DECISION,
  /**
   * An operator's decision and one of the coordinator exclude each other until the log has what the first one changes, or never will,
   * however long that takes.
   */
  DECISIONS_TAKE_TURNS,
  /** What an operator has decided in place of a coordinator is stable before the mark with it enters the log. */
  OPERATOR_DECISION_FIRST,
  /** Each mark of an update that an operator has decided, and the end of a lost branch, have that decision, whoever asks for it. */
  OPERATOR_DECISION_STANDS,
  /** A lost branch ends as an operator has decided only when that decision is stable: a next primary without it would find no branch. */
  STABLE_DECISION_ENDS_LOST_BRANCH,
  /** An operator's decision that agrees with the coordinator's is forgotten before the coordinator's is acknowledged. */
  AGREEMENT_BEFORE_ACKNOWLEDGEMENT,
  /** That a coordinator has decided otherwise than an operator is kept, and not acknowledged until an operator forgets it. */
  CONTRADICTION_IS_KEPT,
  /** An operator forgets a decision only while no other one about its transaction is carried out, which could store it again. */
  FORGETTING_TAKES_TURNS,

  // ---- the replica around the core

  /** Effects requested after a store happen when the record is durable. */
  STORE_BEFORE_SEND,
  /** A step that throws halts the replica, because its state is inconsistent. */
  HALT_WHEN_A_STEP_THROWS,
  /** Replicas with different lists of replicas exchange no messages: two of them could each find a majority. */
  REPLICA_LISTS_AGREE,
  /** A removed resource keeps a version, so that no live object of it counts as current. */
  IMAGE_REMEMBERS_REMOVALS,
  /** Batches of messages are limited in bytes, because a receiver drops a frame that is too large. */
  BATCHES_FIT_FRAMES;

  /** The rules of the strategy {@code group} alone. */
  public static final Set<Rule> OF_GROUP =
      Collections.unmodifiableSet(EnumSet.range(CERTIFY_EVERY_VERSION, LIMITS_AT_THE_PLACE));

  /** The rules of the strategy {@code group} over a group channel alone. */
  public static final Set<Rule> OF_CHANNEL =
      Collections.unmodifiableSet(EnumSet.range(PLACE_FROM_SEQUENCER, DELIVERY_IS_NO_ACKNOWLEDGEMENT));

  /** The rules of a journal alone. */
  public static final Set<Rule> OF_JOURNAL =
      Collections.unmodifiableSet(EnumSet.range(DURABLE_BEFORE_ACKNOWLEDGED, JOURNAL_OF_LAST_VIEW));

  /** The rules of updates that a database decides. */
  public static final Set<Rule> OF_DATABASE =
      Collections.unmodifiableSet(EnumSet.range(PREPARED_HAS_NO_EFFECT, ROWS_KEEP_IDENTITIES));

  /** The rules of updates that the coordinator of a transaction decides. */
  public static final Set<Rule> OF_TRANSACTIONS =
      Collections.unmodifiableSet(EnumSet.range(VOTE_AFTER_STABLE, LIFE_BEFORE_TRANSACTION));

  /** The rules of the database parts of such updates. */
  public static final Set<Rule> OF_BRANCHES =
      Collections.unmodifiableSet(EnumSet.range(BRANCH_BEFORE_UPDATE, FORGETTING_TAKES_TURNS));

  /** The rules that histories on slow links show. */
  public static final Set<Rule> OF_SLOW_LINKS = Collections.unmodifiableSet(EnumSet.of(STATE_WITHOUT_MEMBERSHIP_JOINS));

  public static final Set<Rule> ALL = Collections.unmodifiableSet(EnumSet.allOf(Rule.class));

  /** All rules except one, for a mutant. */
  public static Set<Rule> allBut(Rule dropped) {
    return Collections.unmodifiableSet(EnumSet.complementOf(EnumSet.of(dropped)));
  }
}
