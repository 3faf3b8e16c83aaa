package org.understudy.replication.runtime.record;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32C;

/**
 * The bytes of a journal's segments. A segment has a header: a magic number, the group's length and text, and a checksum. Records
 * follow. Each has a head (length, number, the last record that was synced when it was written, and the checksum of those), its bytes, and
 * their checksum. A mark is a head without bytes, whose length is {@link #MARK}: it is written when the records before it are synced.
 *
 * <p>In {@link #OLD}, the header has no checksum, heads do not name a synced record, and there are no marks.
 */
final class JournalForm {
  static final int OLD = 1;
  static final int CURRENT = 2;
  static final int MARK = -1;
  static final int CHECKSUM_BYTES = Integer.BYTES;
  static final int HEAD_BYTES = headBytes(CURRENT);
  static final int MAX_RECORD_BYTES = 512 << 20;
  /** A magic number, and the form as its last digit. */
  private static final int MAGIC = 0x55534a30;
  private static final int LAST_FORM = 9;
  private static final int MAX_OWNER_BYTES = 4_096;

  /** What a header says; {@code owner} is null when it cannot be read. */
  record Header(int form, GroupIdentity owner, int bytes) {
    static final Header WRONG = new Header(CURRENT, null, 0);

    boolean isNewer() {
      return form > CURRENT;
    }
  }

  static final int MAX_HEADER_BYTES = 2 * Integer.BYTES + MAX_OWNER_BYTES + CHECKSUM_BYTES;

  private JournalForm() {}

  static int headBytes(int form) {
    return Integer.BYTES + (form == OLD ? 1 : 2) * Long.BYTES + CHECKSUM_BYTES;
  }

  static ByteBuffer header(GroupIdentity group) {
    ByteBuffer header = head(group.text().getBytes(StandardCharsets.UTF_8));
    return header.putInt(checksum(header.array(), 0, header.position())).flip();
  }

  /** A header without its checksum. */
  private static ByteBuffer head(byte[] owner) {
    ByteBuffer header = ByteBuffer.allocate(2 * Integer.BYTES + owner.length + CHECKSUM_BYTES);
    return header.putInt(MAGIC + CURRENT).putInt(owner.length).put(owner);
  }

  /**
   * Reads a header. The checksum decides whether it is of the current form: a wrong byte in the magic number must not make it one of
   * another version, whose records are then looked for in vain.
   *
   * @param in the first bytes of a segment, as many as it has of {@link #MAX_HEADER_BYTES}
   */
  static Header readHeader(ByteBuffer in) {
    if (in.remaining() < 2 * Integer.BYTES) {
      return Header.WRONG;
    }
    int form = in.getInt() - MAGIC;
    int length = in.getInt();
    boolean fits = length >= 0 && length <= in.remaining();
    byte[] owner = new byte[fits ? length : 0];
    in.get(owner);
    int bytes = 2 * Integer.BYTES + length;
    if (fits && in.remaining() >= CHECKSUM_BYTES && in.getInt() == checksum(head(owner).array(), 0, bytes)) {
      return header(CURRENT, owner, bytes + CHECKSUM_BYTES);
    }
    if (form > CURRENT && form <= LAST_FORM) {
      return new Header(form, null, 0);
    }
    return fits && form == OLD ? header(OLD, owner, bytes) : Header.WRONG;
  }

  private static Header header(int form, byte[] owner, int bytes) {
    GroupIdentity group = GroupIdentity.of(new String(owner, StandardCharsets.UTF_8));
    return group == null ? Header.WRONG : new Header(form, group, bytes);
  }

  /** Appends a head; for a mark, the record's length is {@link #MARK}. */
  static void putHead(ByteBuffer out, int length, long number, long synced) {
    int at = out.position();
    out.putInt(length).putLong(number).putLong(synced);
    out.putInt(checksum(out.array(), at, HEAD_BYTES - CHECKSUM_BYTES));
  }

  static ByteBuffer mark(long synced) {
    ByteBuffer out = ByteBuffer.allocate(HEAD_BYTES);
    putHead(out, MARK, synced, synced);
    return out.flip();
  }

  static int checksum(byte[] bytes, int from, int length) {
    CRC32C checksum = new CRC32C();
    checksum.update(bytes, from, length);
    return (int) checksum.getValue();
  }
}
