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

  /**
   * Reads the 16 bytes that {@link #toBytes()} writes.
   *
   * @throws IllegalArgumentException when there are more or fewer
   */
  public static SessionId ofBytes(byte[] bytes) {
    if (bytes.length != 16) {
      throw new IllegalArgumentException("A session id is 16 bytes.");
    }
    return new SessionId(word(bytes, 0), word(bytes, 8));
  }

  private static long word(byte[] bytes, int from) {
    long word = 0;
    for (int i = from; i < from + 8; i++) {
      word = word << 8 | (bytes[i] & 0xff);
    }
    return word;
  }

  public byte[] toBytes() {
    byte[] bytes = new byte[16];
    for (int i = 0; i < 8; i++) {
      bytes[i] = (byte) (high >>> (56 - 8 * i));
      bytes[8 + i] = (byte) (low >>> (56 - 8 * i));
    }
    return bytes;
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
