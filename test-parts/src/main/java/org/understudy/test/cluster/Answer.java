package org.understudy.test.cluster;

import java.nio.charset.StandardCharsets;

/**
 * The answer of a replica.
 *
 * @param reason of a refusal without an envelope; empty for none
 */
public record Answer(int status, byte[] bytes, String reason) {
  /** The body as UTF-8. */
  public String text() {
    return new String(bytes, StandardCharsets.UTF_8);
  }

  /** The content of the envelope's Body, as sent. */
  public String body() {
    return between("<soap:Body>", "</soap:Body>");
  }

  /** The text between the first occurrence of the beginning and the end after it. */
  public String between(String begin, String end) {
    String text = text();
    int from = text.indexOf(begin);
    int to = text.indexOf(end, from);
    if (from < 0 || to < 0) {
      throw new AssertionError("There is no " + begin + " in: " + text);
    }
    return text.substring(from + begin.length(), to);
  }
}
