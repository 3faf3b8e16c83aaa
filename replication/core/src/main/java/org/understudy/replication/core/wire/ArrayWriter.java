package org.understudy.replication.core.wire;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Encodes parts of messages and records one after another. Large arrays are not copied: they become segments of their own.
 *
 * <p>Not thread-safe; use one for each batch.
 */
public class ArrayWriter implements WireWriter {
  private static final int OWN_SEGMENT_BYTES = 4_096;

  private final List<ByteBuffer> segments = new ArrayList<>(4);
  private byte[] buffer;
  private int start;
  private int position;
  private long sealed;

  /** @param reserve bytes to leave free in front, for a frame's length */
  public ArrayWriter(int reserve) {
    buffer = new byte[512];
    position = reserve;
  }

  /** All bytes so far, the reserved ones included. */
  public long size() {
    return sealed + position - start;
  }

  /** Ends encoding. The first segment begins with the reserved bytes. */
  public ByteBuffer[] segments() {
    seal();
    return segments.toArray(ByteBuffer[]::new);
  }

  /** Ends encoding; returns one array. */
  public byte[] toBytes() {
    return toBytes(0);
  }

  /** @param free bytes to leave free behind, for a frame's tag */
  public byte[] toBytes(int free) {
    byte[] all = new byte[(int) size() + free];
    int at = 0;
    for (ByteBuffer segment : segments()) {
      int length = segment.remaining();
      segment.get(all, at, length);
      at += length;
    }
    return all;
  }

  @Override
  public void string(String text) {
    bytes(text.getBytes(StandardCharsets.UTF_8));
  }

  @Override
  public void bytes(byte[] bytes) {
    i32(bytes.length);
    if (bytes.length >= OWN_SEGMENT_BYTES) {
      seal();
      segments.add(ByteBuffer.wrap(bytes));
      sealed += bytes.length;
    } else {
      room(bytes.length);
      System.arraycopy(bytes, 0, buffer, position, bytes.length);
      position += bytes.length;
    }
  }

  private void seal() {
    if (position > start) {
      segments.add(ByteBuffer.wrap(buffer, start, position - start).slice());
      sealed += position - start;
      start = position;
    }
  }

  @Override
  public void u8(int value) {
    room(1);
    buffer[position++] = (byte) value;
  }

  @Override
  public void i32(int value) {
    room(4);
    buffer[position++] = (byte) (value >>> 24);
    buffer[position++] = (byte) (value >>> 16);
    buffer[position++] = (byte) (value >>> 8);
    buffer[position++] = (byte) value;
  }

  @Override
  public void i64(long value) {
    i32((int) (value >>> 32));
    i32((int) value);
  }

  /** Sealed segments keep the old array; only unsealed bytes move to a larger one. */
  private void room(int bytes) {
    if (position + bytes > buffer.length) {
      byte[] larger = Arrays.copyOfRange(buffer, start, start + Math.max(2 * buffer.length, position - start + bytes));
      position -= start;
      start = 0;
      buffer = larger;
    }
  }
}
