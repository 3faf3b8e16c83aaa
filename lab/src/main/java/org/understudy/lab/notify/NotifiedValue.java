package org.understudy.lab.notify;

import java.nio.charset.StandardCharsets;
import java.util.OptionalInt;

/**
 * The value in a ResourcePropertyValueChangeNotification (WS-ResourceProperties 1.2, section 6), found without parsing,
 * because the consumers share the processors with the measured replicas. Accepts any prefixes.
 */
final class NotifiedValue {
  private static final byte[] NEW_VALUES = "NewValues".getBytes(StandardCharsets.US_ASCII);
  private static final int MAX_DIGITS = 10;

  private NotifiedValue() {}

  /** The first number among the new values; empty when the bytes hold no such notification. */
  static OptionalInt of(byte[] message, int from, int to) {
    int at = indexOf(message, from, to);
    // The end of NewValues's own tag, then the end of the property's.
    at = at < 0 ? -1 : after((byte) '>', message, at, to);
    at = at < 0 ? -1 : after((byte) '>', message, at, to);
    return at < 0 ? OptionalInt.empty() : number(message, at, to);
  }

  private static int indexOf(byte[] message, int from, int to) {
    for (int i = from; i <= to - NEW_VALUES.length; i++) {
      int matched = 0;
      while (matched < NEW_VALUES.length && message[i + matched] == NEW_VALUES[matched]) {
        matched++;
      }
      if (matched == NEW_VALUES.length) {
        return i + matched;
      }
    }
    return -1;
  }

  private static int after(byte sought, byte[] message, int from, int to) {
    for (int i = from; i < to; i++) {
      if (message[i] == sought) {
        return i + 1;
      }
    }
    return -1;
  }

  private static OptionalInt number(byte[] message, int from, int to) {
    int end = from;
    while (end < to && message[end] != '<') {
      end++;
    }
    String text = new String(message, from, Math.min(end - from, MAX_DIGITS + 16), StandardCharsets.US_ASCII).strip();
    return end < to && text.matches("-?\\d{1," + (MAX_DIGITS - 1) + "}")
        ? OptionalInt.of(Integer.parseInt(text))
        : OptionalInt.empty();
  }
}
