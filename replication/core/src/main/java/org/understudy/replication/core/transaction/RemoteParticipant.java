package org.understudy.replication.core.transaction;

import java.util.ArrayList;
import java.util.List;
import org.understudy.replication.core.wire.UnreadableException;
import org.understudy.replication.core.wire.WireReader;
import org.understudy.replication.core.wire.WireWriter;

/**
 * The part of another group in a transaction.
 *
 * @param group that takes part; different for each participant of one transaction
 * @param part identifies what is open there: fresh whenever a primary of the group begins its part. If the primary dies before its vote,
 *     its part is lost, and the next primary has another one
 * @param addresses of all replicas of the group
 */
public record RemoteParticipant(String group, String part, List<String> addresses) {
  /** The length of the longest text. */
  public static final int MAX_CHARS = 1_024;

  /** The number of replicas that a group may have. */
  public static final int MAX_ADDRESSES = 64;

  private static final int LEAST_BYTES = 4;

  /** @throws IllegalArgumentException when a text is empty or too long, or the addresses are missing or too many */
  public RemoteParticipant {
    addresses = List.copyOf(addresses);
    if (!isText(group) || !isText(part) || !addresses.stream().allMatch(RemoteParticipant::isText)
        || addresses.isEmpty() || addresses.size() > MAX_ADDRESSES) {
      throw new IllegalArgumentException(
          "A participant has a group, a part and 1 to " + MAX_ADDRESSES + " addresses, each of 1 to " + MAX_CHARS + " characters.");
    }
  }

  private static boolean isText(String text) {
    return !text.isEmpty() && text.length() <= MAX_CHARS;
  }

  void write(WireWriter out) {
    out.string(group);
    out.string(part);
    out.i32(addresses.size());
    addresses.forEach(out::string);
  }

  static RemoteParticipant read(WireReader in) {
    String group = in.string();
    String part = in.string();
    List<String> addresses = new ArrayList<>();
    for (int count = in.count(LEAST_BYTES); count > 0; count--) {
      addresses.add(in.string());
    }
    try {
      return new RemoteParticipant(group, part, addresses);
    } catch (IllegalArgumentException e) {
      throw new UnreadableException("A message holds an invalid participant of a transaction: " + e.getMessage());
    }
  }
}
