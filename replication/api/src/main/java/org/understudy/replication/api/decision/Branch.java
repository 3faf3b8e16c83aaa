package org.understudy.replication.api.decision;

/**
 * The part of one update that a database holds: an open database transaction. {@link org.understudy.replication.api.ResourceHome#enlist}
 * adds it to the operation that is being executed. The container then ends it, exactly once, by {@link #commit} or {@link #rollback},
 * also when the operation fails, runs out of time or is executed again; nobody else may end it.
 *
 * <p>The operation's thread uses the branch until the operation ends. Afterwards one thread of the container at a time calls it.
 */
public interface Branch {
  /**
   * Decides the update, in the branch's own transaction: checks the epoch row by a locking read (it must be {@code id.epoch()}), writes
   * the row of the decision, and commits. Blocks; called on a thread of the container, never a request's, after every replica of the
   * view has stored the prepared update, or without that for an update that commits in one phase ({@link DecisionId#isOnePhase}). Ends
   * the transaction whatever it returns or throws, and releases its connection.
   *
   * @param id key of the row
   * @param key the encoded identity of the request, at most 64 bytes; empty when the request has none
   * @param response the encoded answer. Neither array may be changed or kept
   * @return {@link Decision#COMMITTED} when the commit is durable; {@link Decision#ABORTED} when the transaction is certainly not
   *     committed and never will be, for example after a deadlock or when the connection died before COMMIT was sent. The container
   *     then undoes the replicated part too, and executes the request again, a limited number of times
   * @throws FencedException when the epoch row has another value; the transaction is not committed and never will be
   * @throws ExecutedBeforeException when another decision with this key has committed; the transaction is not committed and never will be
   * @throws OutcomeUnknownException when the connection died after COMMIT was sent; the container calls {@link DecisionStore#resolve}
   */
  Decision commit(DecisionId id, byte[] key, byte[] response);

  /** Rolls the transaction back and releases its connection. Blocks only shortly. Never throws; does nothing in an ended branch. */
  void rollback();

  /**
   * Whether the database has ended the transaction by itself, for example because of a deadlock or a lost connection. The container asks
   * when the operation has returned or thrown: if so, it drops the operation's response or fault, undoes its changes, and executes the
   * request again, a limited number of times. Does not block.
   */
  boolean isAborted();

  /**
   * Declares that the coordinator of a distributed transaction decides this branch. Called when it is enlisted, before its first
   * statement. The container then calls {@link #prepare} or {@link #rollback}, and never {@link #commit}.
   */
  default void coordinate(ParticipantRecord participant) {
    // Refused by prepare.
  }

  /**
   * Prepares the branch: what it has changed survives this process and the database's restart, without effect, until {@link
   * BranchStore#end}. Blocks; called on a thread of the container, after the last operation. Releases the connection whatever it returns
   * or throws.
   *
   * @return null when the branch has changed nothing; it is rolled back then
   * @throws FencedException when another replica has become primary; the branch is rolled back
   * @throws DecisionStoreException when the branch is rolled back, or this is unknown because the connection died
   */
  default BranchId prepare() {
    rollback();
    throw new DecisionStoreException("The database cannot prepare transactions.", null);
  }
}
