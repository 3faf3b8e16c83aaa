package org.understudy.wsat.store;

import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/** What is in the file of a record: a magic number, the length of the content, its checksum, and the content. */
final class StoredRecord {
  private static final int MAGIC = 0x55574131;
  private static final int HEADER_BYTES = 3 * Integer.BYTES;

  private StoredRecord() {}

  static ByteBuffer encode(byte[] content) {
    ByteBuffer out = ByteBuffer.allocate(HEADER_BYTES + content.length);
    return out.putInt(MAGIC).putInt(content.length).putInt(checksum(content)).put(content).flip();
  }

  /** Returns the content of a file; null when a part of it is missing or has changed. */
  static byte[] decode(byte[] file) {
    ByteBuffer in = ByteBuffer.wrap(file);
    if (in.remaining() < HEADER_BYTES || in.getInt() != MAGIC || in.getInt() != file.length - HEADER_BYTES) {
      return null;
    }
    int checksum = in.getInt();
    byte[] content = new byte[in.remaining()];
    in.get(content);
    return checksum(content) == checksum ? content : null;
  }

  private static int checksum(byte[] content) {
    CRC32C checksum = new CRC32C();
    checksum.update(content);
    return (int) checksum.getValue();
  }
}
