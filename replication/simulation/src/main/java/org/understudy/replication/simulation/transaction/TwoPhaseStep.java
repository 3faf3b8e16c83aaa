package org.understudy.replication.simulation.transaction;

import java.util.Locale;

/** What one replica does for a transaction over several groups: a message to the other side, an entry of its own group's log, or a
 * statement at its group's database. */
public enum TwoPhaseStep {
  /** The entry of the coordinator's log with its life, before the first transaction. */
  LIFE,
  /** A participant registers its part. */
  REGISTRATION,
  /** The coordinator answers a registration. */
  ACCEPTANCE,
  PREPARE,
  /** The entry of a participant's log that it votes for. */
  PREPARED_UPDATE,
  VOTE,
  /** The entry of the coordinator's log that decides. */
  DECISION,
  COMMIT,
  /** The entry of a participant's log with the decision. */
  MARK,
  ACKNOWLEDGEMENT,
  ABORT,
  /** A participant in doubt asks for the status. */
  QUESTION,
  /** The coordinator answers a question. */
  STATUS,
  /** The entry of the coordinator's log that removes the decision. */
  FORGETTING,
  /** The entry of a participant's log that shows from when on it knows all votes, before its first branch. */
  MEMORY_BEGINS,
  /** The entry of a participant's log after a search that has found no lost branch. */
  NONE_LOST,
  /** The entry of a participant's log with what an operator has decided. */
  OPERATOR_DECISION,
  /** The entry that shows that a coordinator has decided otherwise. */
  CONTRADICTION,
  /** The entry that removes what an operator has decided. */
  OPERATOR_FORGETTING,
  /** A statement that reads the database, or belongs to an open transaction. */
  STATEMENT,
  /** A new primary raises the epoch of the database. */
  FENCE,
  /** The commit of a transaction of the database whose row decides an update. */
  ROW,
  /** The row that names a branch, before the branch is prepared. */
  BRANCH_ROW,
  /** The branch marks its row as committed. */
  BRANCH_MARK,
  BRANCH_PREPARATION,
  /** A branch is committed or rolled back as it was decided. */
  BRANCH_END,
  /** The row of a branch is removed. */
  BRANCH_FORGETTING,
  /** A primary reads the rows of branches, to find what former primaries have left. */
  SEARCH;

  /** Whether it is an entry of a log, which the network between the groups cannot lose. */
  public boolean isEntry() {
    return switch (this) {
      case LIFE, PREPARED_UPDATE, DECISION, MARK, FORGETTING -> true;
      default -> isOfMemory() || isOfOperator();
    };
  }

  /** Whether a group needs it only because it may lose its memory. */
  public boolean isOfMemory() {
    return this == MEMORY_BEGINS || this == NONE_LOST;
  }

  /** Whether it happens only when an operator decides in place of the coordinator. */
  public boolean isOfOperator() {
    return this == OPERATOR_DECISION || this == CONTRADICTION || this == OPERATOR_FORGETTING;
  }

  /** Whether the database does it. The moment after it is the one when the replica gets the answer. */
  public boolean isOfDatabase() {
    return compareTo(STATEMENT) >= 0;
  }

  /** Whether the primary of the coordinator's group does it. */
  public boolean isOfCoordinator() {
    return switch (this) {
      case LIFE, ACCEPTANCE, PREPARE, DECISION, COMMIT, ABORT, STATUS, FORGETTING, ROW -> true;
      default -> false;
    };
  }

  /** As scenarios write it. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }

  static TwoPhaseStep of(String words) {
    return valueOf(words.toUpperCase(Locale.ROOT).replace(' ', '_'));
  }
}
