package org.understudy.client;

/** What a fake replica does with a call. */
sealed interface Reaction {
  /** Answers. */
  record Say(int status, String contentType, String content, String header, String value) implements Reaction {
    Say(int status, String contentType, String content) {
      this(status, contentType, content, null, null);
    }

    Say with(String name, String itsValue) {
      return new Say(status, contentType, content, name, itsValue);
    }
  }

  /** Closes the connection without a word. */
  record Drop() implements Reaction {}

  /** Keeps the connection and says nothing until the test ends. */
  record Hang() implements Reaction {}
}
