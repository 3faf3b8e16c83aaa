package org.understudy.replication.api;

/**
 * A server-issued 128-bit name of one client's exactly-once bookkeeping. Written as 32 lower-case hexadecimal digits.
 *
 * @param high the first eight bytes
 * @param low the last eight bytes
 */
public record SessionId(long high, long low) implements Comparable<SessionId> {

  /**
   * Reads the 32 hexadecimal digits that {@link #toString()} writes.
   *
   * @throws IllegalArgumentException when the text is anything else
   */
  public static SessionId parse(String text) {
    if (text.length() != 32) {
      throw new IllegalArgumentException("A session id is 32 hexadecimal digits.");
    }
    try {
      return new SessionId(Long.parseUnsignedLong(text, 0, 16, 16), Long.parseUnsignedLong(text, 16, 32, 16));
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException("A session id is 32 hexadecimal digits.", e);
    }
  }

  @Override
  public int compareTo(SessionId other) {
    int c = Long.compareUnsigned(high, other.high);
    return c != 0 ? c : Long.compareUnsigned(low, other.low);
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder(32);
    append(text, high);
    append(text, low);
    return text.toString();
  }

  private static void append(StringBuilder text, long word) {
    for (int shift = 60; shift >= 0; shift -= 4) {
      text.append(Character.forDigit((int) (word >>> shift) & 15, 16));
    }
  }
}
