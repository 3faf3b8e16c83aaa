package org.understudy.lab.session;

import java.util.List;

/**
 * What a session holds, and what a request changes of it.
 *
 * @param bytes of each attribute; a request replaces one
 */
record Content(int attributes, int bytes) {
  static final List<Content> ALL =
      List.of(
          new Content(1, 10),
          new Content(1, 100),
          new Content(1, 1_000),
          new Content(1, 10_000),
          new Content(1, 100_000),
          new Content(100, 1_000));

  String label() {
    return attributes == 1 ? String.format("%,d B", bytes) : String.format("%d × %,d B", attributes, bytes);
  }

  /** The query of a request. */
  String query(int number) {
    return "n=" + number + "&bytes=" + bytes + "&attributes=" + attributes;
  }
}
