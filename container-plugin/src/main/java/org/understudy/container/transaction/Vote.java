package org.understudy.container.transaction;

import java.util.Locale;

/** The answer of a participant to its coordinator's question whether a transaction can commit. */
public enum Vote {
  /** The changes are stable at the group, their objects stay locked, and the participant does what the coordinator decides. */
  PREPARED,
  /** Nothing was changed. The objects are unlocked, and the participant does not want to know the decision. */
  READ_ONLY,
  /** The transaction is unknown here or cannot be prepared. Everything that it changed is undone. */
  ABORTED;

  /** The vote in a message between groups. */
  String word() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** The vote of a {@link #word}; null for another text. */
  static Vote of(String word) {
    for (Vote vote : values()) {
      if (vote.word().equals(word)) {
        return vote;
      }
    }
    return null;
  }
}
