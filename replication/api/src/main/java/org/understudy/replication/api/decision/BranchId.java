package org.understudy.replication.api.decision;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;

/**
 * Identifies a branch that is prepared for the coordinator of a transaction. The database has a record with this id, and the log names it,
 * so that a later primary finds the branch.
 *
 * @param epoch that the database had for the primary that executed the branch, at least 1
 * @param name 32 hexadecimal digits, a digest of the schema and the participant record
 */
public record BranchId(long epoch, String name) {
  private static final int NAME_BYTES = 16;

  /** @throws IllegalArgumentException when a part is invalid */
  public BranchId {
    if (epoch < 1 || !name.matches("[0-9a-f]{" + 2 * NAME_BYTES + "}")) {
      throw new IllegalArgumentException(
          "A branch has an epoch of at least 1 and a name of 32 digits, not " + epoch + " and " + name + ".");
    }
  }

  /** The id of a participant's branch in a database that one group uses. Earlier versions gave these ids in every database. */
  public static BranchId of(long epoch, ParticipantRecord participant) {
    return of(epoch, "", participant);
  }

  /**
   * The id of a participant's branch. Groups of the same name in two schemas of a server can take part in one transaction.
   *
   * @param schema that the group uses in the database; empty when nothing shares its server
   */
  public static BranchId of(long epoch, String schema, ParticipantRecord participant) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      if (!schema.isEmpty()) {
        digest.update(schema.getBytes(StandardCharsets.UTF_8));
        digest.update((byte) 0);
      }
      digest.update(participant.transaction().getBytes(StandardCharsets.UTF_8));
      digest.update((byte) 0);
      digest.update(participant.rest());
      return new BranchId(epoch, HexFormat.of().formatHex(Arrays.copyOf(digest.digest(), NAME_BYTES)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("Every JVM has SHA-256.", e);
    }
  }

  /**
   * Reads what {@link #toString} returns.
   *
   * @throws IllegalArgumentException when it is something else
   */
  public static BranchId parse(String text) {
    int dot = text.indexOf('.');
    if (dot < 0) {
      throw new IllegalArgumentException("The id of a branch has an epoch, a dot, and a name, not " + text + ".");
    }
    return new BranchId(Long.parseLong(text.substring(0, dot)), text.substring(dot + 1));
  }

  @Override
  public String toString() {
    return epoch + "." + name;
  }
}
