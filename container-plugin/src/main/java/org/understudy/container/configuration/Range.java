package org.understudy.container.configuration;

import java.util.List;

/** The values that a key may have: the text for the documentation, and the check of a value. Immutable. */
final class Range {
  private final String text;
  /** The words allowed instead of a number, or all allowed words if no number is; null when any text is allowed. */
  private final List<String> words;
  /** Greater than {@link #max} when numbers are not allowed. */
  private final long min;
  private final long max;

  private Range(String text, List<String> words, long min, long max) {
    this.text = text;
    this.words = words;
    this.min = min;
    this.max = max;
  }

  /** Any text. It is checked where it is used. */
  static Range described(String text) {
    return new Range(text, null, 1, 0);
  }

  static Range oneOf(String... words) {
    return new Range(String.join(", ", words), List.of(words), 1, 0);
  }

  /** A whole number from min to max, inclusive. */
  static Range number(long min, long max) {
    return new Range(min + " to " + max, List.of(), min, max);
  }

  /** One word, or a whole number from min to max, inclusive. */
  static Range wordOrNumber(String word, long min, long max) {
    return new Range(word + ", or " + min + " to " + max, List.of(word), min, max);
  }

  /** Returns the fault of a value, to be appended to "is VALUE; it "; null for a valid value. */
  String fault(String value) {
    if (words == null || words.contains(value)) {
      return null;
    }
    if (min > max) {
      return "must be one of " + text;
    }
    try {
      long number = Long.parseLong(value);
      if (number >= min && number <= max) {
        return null;
      }
    } catch (NumberFormatException e) {
      // Reported below.
    }
    String otherwise = words.isEmpty() ? "" : words.get(0) + " or ";
    return "must be " + otherwise + "a whole number from " + min + " to " + max;
  }

  /** Returns the text for the documentation. */
  @Override
  public String toString() {
    return text;
  }
}
