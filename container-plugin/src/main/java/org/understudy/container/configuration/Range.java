package org.understudy.container.configuration;

import java.util.List;

/** The values that a key may have: as the documentation writes them, and what can be checked of one value. Immutable. */
final class Range {
  private final String text;
  /** The words allowed instead of a number, or all allowed words if numbers are not; null when any text is allowed. */
  private final List<String> words;
  /** Least is above most when it may not be a number. */
  private final long least;
  private final long most;

  private Range(String text, List<String> words, long least, long most) {
    this.text = text;
    this.words = words;
    this.least = least;
    this.most = most;
  }

  /** Anything: what it means is checked where it is used. */
  static Range described(String text) {
    return new Range(text, null, 1, 0);
  }

  static Range oneOf(String... words) {
    return new Range(String.join(", ", words), List.of(words), 1, 0);
  }

  /** A whole number, both ends included. */
  static Range number(long least, long most) {
    return new Range(least + " to " + most, List.of(), least, most);
  }

  /** One word, or such a number. */
  static Range wordOrNumber(String word, long least, long most) {
    return new Range(word + ", or " + least + " to " + most, List.of(word), least, most);
  }

  /** What is wrong with a value, to be continued after "is VALUE; it "; null when nothing is. */
  String complaint(String value) {
    if (words == null || words.contains(value)) {
      return null;
    }
    if (least > most) {
      return "must be one of " + text;
    }
    try {
      long number = Long.parseLong(value);
      if (number >= least && number <= most) {
        return null;
      }
    } catch (NumberFormatException e) {
      // Said below, in the operator's words.
    }
    String otherwise = words.isEmpty() ? "" : words.get(0) + " or ";
    return "must be " + otherwise + "a whole number from " + least + " to " + most;
  }

  /** As the documentation writes it. */
  @Override
  public String toString() {
    return text;
  }
}
