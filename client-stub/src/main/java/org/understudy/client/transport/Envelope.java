package org.understudy.client.transport;

import java.nio.charset.StandardCharsets;

/** A request's envelope as the application's stack wrote it, with the place where our header goes. */
public final class Envelope {
  private final byte[] bytes;
  private final int length;
  private final int place;
  private final int after;
  private final String prefix;
  private final boolean hasHeader;

  /**
   * @throws IllegalArgumentException when the bytes begin with no envelope
   */
  public Envelope(byte[] bytes, int length) {
    this.bytes = bytes;
    this.length = length;
    int envelope = find(":Envelope", 0);
    int open = envelope;
    while (open > 0 && bytes[open] != '<') {
      open--;
    }
    if (envelope < 0) {
      throw new IllegalArgumentException("The message is no SOAP envelope with a prefix.");
    }
    prefix = new String(bytes, open + 1, envelope - open - 1, StandardCharsets.US_ASCII);
    int body = find("<" + prefix + ":Body", envelope);
    int header = find("<" + prefix + ":Header", envelope);
    if (body < 0) {
      throw new IllegalArgumentException("The envelope has no body.");
    }
    if (header < 0 || header > body) {
      hasHeader = false;
      place = body;
      after = body;
    } else {
      int end = header;
      while (bytes[end] != '>') {
        end++;
      }
      boolean empty = bytes[end - 1] == '/';
      hasHeader = !empty;
      place = empty ? header : end + 1;
      after = end + 1;
    }
  }

  /** The envelope with one more header block, which uses no prefix but its own. */
  public byte[] with(String block) {
    String inserted = hasHeader ? block : "<" + prefix + ":Header>" + block + "</" + prefix + ":Header>";
    byte[] middle = inserted.getBytes(StandardCharsets.UTF_8);
    byte[] whole = new byte[place + middle.length + length - after];
    System.arraycopy(bytes, 0, whole, 0, place);
    System.arraycopy(middle, 0, whole, place, middle.length);
    System.arraycopy(bytes, after, whole, place + middle.length, length - after);
    return whole;
  }

  private int find(String text, int from) {
    byte[] sought = text.getBytes(StandardCharsets.US_ASCII);
    outer:
    for (int i = from; i <= length - sought.length; i++) {
      for (int j = 0; j < sought.length; j++) {
        if (bytes[i + j] != sought[j]) {
          continue outer;
        }
      }
      return i;
    }
    return -1;
  }
}
