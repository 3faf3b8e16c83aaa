package org.understudy.client;

/** What a fake replica does with a call. */
sealed interface Reaction {
  /** Answers. */
  record Say(int status, String contentType, String content) implements Reaction {}

  /** Closes the connection without a word. */
  record Drop() implements Reaction {}

  /** Keeps the connection and says nothing until the test ends. */
  record Hang() implements Reaction {}
}
