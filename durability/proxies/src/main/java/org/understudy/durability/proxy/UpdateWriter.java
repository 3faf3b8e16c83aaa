package org.understudy.durability.proxy;

import java.io.ByteArrayOutputStream;
import java.util.Arrays;

/** Writes parts with their lengths: an update, or a whole state. Empty until something is added. */
final class UpdateWriter {
  /** What a part of an update is. */
  enum Kind {
    /** One encoded {@link Call}. */
    CALL,
    /** A whole state object. */
    STATE,
    /** The stamp of an object that other replicas do not hold. */
    STAMP
  }

  private static final int KINDS = 4;

  private final byte[] header;
  private ByteArrayOutputStream bytes;

  /** @param header precedes the first part */
  UpdateWriter(byte[] header) {
    this.header = header;
  }

  void add(int number, Kind kind, byte[] part) {
    open();
    number(number * KINDS + kind.ordinal());
    add(part);
  }

  void add(byte[] part) {
    open();
    number(part.length);
    bytes.write(part, 0, part.length);
  }

  private void open() {
    if (bytes == null) {
      bytes = new ByteArrayOutputStream(64);
      bytes.write(header, 0, header.length);
    }
  }

  /** Seven bits a byte, the lowest first. */
  private void number(int value) {
    int rest = value;
    while (rest >>> 7 != 0) {
      bytes.write(rest & 0x7f | 0x80);
      rest >>>= 7;
    }
    bytes.write(rest);
  }

  byte[] toBytes() {
    return bytes == null ? new byte[0] : bytes.toByteArray();
  }

  /** Reads what a writer has written, from bytes that may be damaged. */
  static final class Reader {
    private final byte[] bytes;
    private final int objects;
    private int position;
    private int number;
    private Kind kind;

    /**
     * @param objects the number of state objects
     * @throws IllegalArgumentException when the bytes do not begin with the header
     */
    Reader(byte[] bytes, byte[] header, String what, int objects) {
      this.bytes = bytes;
      this.objects = objects;
      if (bytes.length < header.length || !Arrays.equals(bytes, 0, header.length, header, 0, header.length)) {
        throw new IllegalArgumentException(
            what + " was captured with other state objects or other types. Nothing was restored. Deploy the same version of the service "
                + "on all replicas.");
      }
      position = header.length;
    }

    boolean hasNext() {
      return position < bytes.length;
    }

    /** Reads what precedes a part of an update. */
    void next() {
      int head = number();
      number = head / KINDS;
      int ordinal = Math.floorMod(head, KINDS);
      if (ordinal >= Kind.values().length || number < 0 || number >= objects) {
        throw damaged();
      }
      kind = Kind.values()[ordinal];
    }

    int objectNumber() {
      return number;
    }

    Kind kind() {
      return kind;
    }

    byte[] part() {
      int length = number();
      if (length < 0 || length > bytes.length - position) {
        throw damaged();
      }
      position += length;
      return Arrays.copyOfRange(bytes, position - length, position);
    }

    private int number() {
      int value = 0;
      for (int shift = 0; shift < 35; shift += 7) {
        if (position == bytes.length) {
          throw damaged();
        }
        byte next = bytes[position++];
        value |= (next & 0x7f) << shift;
        if (next >= 0) {
          return value;
        }
      }
      throw damaged();
    }

    static IllegalArgumentException damaged() {
      return new IllegalArgumentException("The captured state of the durable objects is damaged.");
    }
  }
}
