package org.understudy.replication.simulation.transaction;

import java.util.Locale;

/** What one replica does for a transaction over several groups: a message to the other side, or an entry of its own group's log. */
public enum TwoPhaseStep {
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
  FORGETTING;

  /** Whether it is an entry of a log, which the network between the groups cannot lose. */
  public boolean isEntry() {
    return this == PREPARED_UPDATE || this == DECISION || this == MARK || this == FORGETTING;
  }

  /** Whether the primary of the coordinator's group does it. */
  public boolean isOfCoordinator() {
    return switch (this) {
      case ACCEPTANCE, PREPARE, DECISION, COMMIT, ABORT, STATUS, FORGETTING -> true;
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
