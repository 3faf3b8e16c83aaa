package org.understudy.channel.spread.session;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Sizes, names and bits of the session protocol of Spread 4 and 5. */
final class Protocol {
  /** The version that a client reports; the daemon's answers have the same form from 3.16 on. */
  static final byte[] VERSION = {5, 0, 1};

  /** Type, sender, number of groups, hint, length of the content. */
  static final int HEADER_BYTES = 48;
  /** A name with at least one zero byte at its end. */
  static final int NAME_BYTES = 32;
  static final int MAX_PRIVATE_NAME = 10;
  /** Names of groups and content of a message: 100 packets of 1,440 bytes. */
  static final int MAX_BODY_BYTES = 144_000;

  /** Set in the type of a message in little-endian order, clear in one in big-endian order; symmetric, so readable in both. */
  static final int LITTLE_ENDIAN = 0x80000080;

  static final int ANY_REGULAR = 0x3f;
  static final int CAUSED_BY_JOIN = 0x100;
  static final int CAUSED_BY_LEAVE = 0x200;
  static final int CAUSED_BY_DISCONNECT = 0x400;
  static final int CAUSED_BY_NETWORK = 0x800;
  static final int REGULAR_MEMBERSHIP = 0x1000;
  static final int TRANSITIONAL = 0x2000;
  static final int JOIN = 0x10000;
  static final int LEAVE = 0x20000;
  static final int DISCONNECT = 0x40000;
  static final int REJECTED = 0x400000;

  private static final int FIRST_CHARACTER = 36;
  private static final int LAST_CHARACTER = 126;

  private Protocol() {}

  /** Throws an IllegalArgumentException for a name that no group or private name can have. */
  static void checkName(String name, int maxCharacters) {
    boolean legal = name.chars().allMatch(c -> c >= FIRST_CHARACTER && c <= LAST_CHARACTER);
    if (name.isEmpty() || name.length() > maxCharacters || !legal) {
      throw new IllegalArgumentException("A name at a Spread daemon has 1 to " + maxCharacters + " visible ASCII characters after '#'.");
    }
  }

  static void writeName(ByteBuffer out, String name) {
    byte[] padded = Arrays.copyOf(name.getBytes(StandardCharsets.US_ASCII), NAME_BYTES);
    out.put(padded);
  }

  /** Reads any name: daemons pass names of groups on as the sender wrote them, also those that no group can have. */
  static String readName(ByteBuffer in) {
    byte[] padded = new byte[NAME_BYTES];
    in.get(padded);
    int length = 0;
    while (length < NAME_BYTES && padded[length] != 0) {
      length++;
    }
    return new String(padded, 0, length, StandardCharsets.ISO_8859_1);
  }
}
