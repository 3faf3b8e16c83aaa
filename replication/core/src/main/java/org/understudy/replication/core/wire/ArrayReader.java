package org.understudy.replication.core.wire;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.understudy.replication.api.VersionHandle;

/** Decodes from an array what {@link ArrayWriter} encoded. */
public final class ArrayReader implements WireReader {
  private static final long MAX_POSITION = VersionHandle.MAX;

  private final ByteBuffer in;
  private final WireVersions reads;

  public ArrayReader(byte[] bytes, int offset, int length, WireVersions reads) {
    this.in = ByteBuffer.wrap(bytes, offset, length);
    this.reads = reads;
  }

  public boolean hasMore() {
    return in.hasRemaining();
  }

  @Override
  public int u8() {
    need(1);
    return in.get() & 0xff;
  }

  @Override
  public int i32() {
    need(Integer.BYTES);
    return in.getInt();
  }

  @Override
  public long i64() {
    need(Long.BYTES);
    return in.getLong();
  }

  @Override
  public byte[] bytes() {
    return bytes(count(1));
  }

  private byte[] bytes(int length) {
    byte[] bytes = new byte[length];
    in.get(bytes);
    return bytes;
  }

  @Override
  public String string() {
    return new String(bytes(), StandardCharsets.UTF_8);
  }

  @Override
  public int count(int leastBytes) {
    int count = i32();
    if (count < 0 || (long) count * leastBytes > in.remaining()) {
      throw new UnreadableException("A message announces more than it holds.");
    }
    return count;
  }

  @Override
  public long position() {
    long value = i64();
    if (value < 0 || value > MAX_POSITION) {
      throw new UnreadableException("A message holds the epoch or index " + value + ", which is out of range.");
    }
    return value;
  }

  @Override
  public int version() {
    int version = u8();
    if (!reads.reads(version)) {
      throw new UnreadableException(
          "A message is written in wire version " + version + ", and this replica reads " + reads
              + ". Install the same version on all replicas.");
    }
    return version;
  }

  @Override
  public byte[] advice() {
    int length = u8();
    need(length);
    return bytes(length);
  }

  private void need(int bytes) {
    if (in.remaining() < bytes) {
      throw new UnreadableException("A message ends too early.");
    }
  }
}
