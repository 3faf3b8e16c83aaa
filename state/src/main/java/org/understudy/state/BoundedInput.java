package org.understudy.state;

import com.esotericsoftware.kryo.kryo5.io.Input;

/**
 * Input from untrusted bytes, which bounds allocations by the number of remaining bytes. All collections together cannot have more
 * elements than the input has bytes, because each element takes at least one byte.
 */
final class BoundedInput extends Input {
  private int claimed;

  BoundedInput() {
    super(new byte[0]);
  }

  void begin(byte[] bytes, int offset, int length) {
    setBuffer(bytes, offset, length);
    claimed = 0;
  }

  /** Claims the elements of the next collection, map or array of objects. */
  void claim(int elements) {
    // Cannot overflow: the sum of two array sizes within the limit.
    if (elements < 0 || elements > remaining() || claimed > limit - elements) {
      throw tooMany(elements);
    }
    claimed += elements;
  }

  private int remaining() {
    return limit - position;
  }

  private static StateException tooMany(int elements) {
    return new StateException("the captured state names " + elements + " elements and has fewer bytes.");
  }

  private void check(int length) {
    if (length < 0 || length > remaining()) {
      throw tooMany(length);
    }
  }

  /** Checks the length that precedes the characters of a text that is not ASCII. */
  private void checkText() {
    int begin = position;
    if (readVarIntFlag()) {
      check(Math.max(0, readVarIntFlag(true) - 1));
    }
    position = begin;
  }

  @Override
  public String readString() {
    checkText();
    return super.readString();
  }

  @Override
  public StringBuilder readStringBuilder() {
    checkText();
    return super.readStringBuilder();
  }

  @Override
  public byte[] readBytes(int length) {
    check(length);
    return super.readBytes(length);
  }

  @Override
  public int[] readInts(int length) {
    check(length);
    return super.readInts(length);
  }

  @Override
  public int[] readInts(int length, boolean optimizePositive) {
    check(length);
    return super.readInts(length, optimizePositive);
  }

  @Override
  public long[] readLongs(int length) {
    check(length);
    return super.readLongs(length);
  }

  @Override
  public long[] readLongs(int length, boolean optimizePositive) {
    check(length);
    return super.readLongs(length, optimizePositive);
  }

  @Override
  public float[] readFloats(int length) {
    check(length);
    return super.readFloats(length);
  }

  @Override
  public double[] readDoubles(int length) {
    check(length);
    return super.readDoubles(length);
  }

  @Override
  public short[] readShorts(int length) {
    check(length);
    return super.readShorts(length);
  }

  @Override
  public char[] readChars(int length) {
    check(length);
    return super.readChars(length);
  }

  @Override
  public boolean[] readBooleans(int length) {
    check(length);
    return super.readBooleans(length);
  }
}
