package org.understudy.simulation;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import org.understudy.replication.simulation.checker.Observation;

/**
 * The answer of an operation, as the content of a SOAP body.
 *
 * @param resource the id of the created or addressed resource; empty for none
 */
record Result(Observation observation, String resource) {
  private static final String BEGIN = "<c:Result xmlns:c=\"urn:counter\" seen=\"";
  private static final String RESOURCE = "\" resource=\"";
  private static final String NOTE = "\">";

  /**
   * As stored.
   *
   * @param nonce different in each execution
   * @param note echoed to the client
   */
  byte[] encode(long nonce, String note) {
    String seen = HexFormat.of().formatHex(observation.encode(nonce));
    return (BEGIN + seen + RESOURCE + resource + NOTE + note + "</c:Result>").getBytes(StandardCharsets.UTF_8);
  }

  /** Reads a body or the envelope around it; null when there is no result in it. */
  static Result decode(byte[] bytes) {
    String text = new String(bytes, StandardCharsets.UTF_8);
    int begin = text.indexOf(BEGIN);
    if (begin < 0) {
      return null;
    }
    int end = text.indexOf(RESOURCE, begin);
    int note = text.indexOf(NOTE, end);
    Observation seen = Observation.decode(HexFormat.of().parseHex(text, begin + BEGIN.length(), end));
    return new Result(seen, text.substring(end + RESOURCE.length(), note));
  }
}
