package org.understudy.container.configuration;

import java.util.List;

/** The values that a key may have: as the documentation writes them, and what can be checked of one value. Immutable. */
final class Range {
  private final String text;
  /** The words allowed instead of a number, or all allowed words if numbers are not; null when any text is allowed. */
  private final List<String> words;
  /** Least is above most when it may not be a number. */
  private final long min;
  private final long max;

  private Range(String text, List<String> words, long min, long max) {
    this.text = text;
    this.words = words;
    this.min = min;
    this.max = max;
  }

  /** Anything: what it means is checked where it is used. */
  static Range described(String text) {
    return new Range(text, null, 1, 0);
  }

  static Range oneOf(String... words) {
    return new Range(String.join(", ", words), List.of(words), 1, 0);
  }

  /** A whole number, both ends included. */
  static Range number(long min, long max) {
    return new Range(min + " to " + max, List.of(), min, max);
  }

  /** One word, or such a number. */
  static Range wordOrNumber(String word, long min, long max) {
    return new Range(word + ", or " + min + " to " + max, List.of(word), min, max);
  }

  /** What is wrong with a value, to be continued after "is VALUE; it "; null when nothing is. */
  String complaint(String value) {
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
      // Said below, in the operator's words.
    }
    String otherwise = words.isEmpty() ? "" : words.get(0) + " or ";
    return "must be " + otherwise + "a whole number from " + min + " to " + max;
  }

  /** As the documentation writes it. */
  @Override
  public String toString() {
    return text;
  }
}
