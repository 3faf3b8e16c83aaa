package org.understudy.container.response;

import jakarta.servlet.http.HttpServletResponse;
import org.understudy.container.soap.RefusalReader;
import org.understudy.replication.api.FailureCode;

/**
 * Whether a response is a result or a refusal of the container. Every response of the container states this in an HTTP
 * header, which is written last and which a service cannot set.
 *
 * @param refused the reason why there is no result; null for a result, and for a response that is not from the container
 * @param ofContainer false when the response is from another component: the server while the web application is not deployed, or a proxy
 */
public record Disposition(FailureCode refused, boolean ofContainer) {
  public static final String HEADER = "Understudy-Disposition";
  private static final String RESULT = "result";

  private static final Disposition A_RESULT = new Disposition(null, true);
  private static final Disposition FOREIGN = new Disposition(null, false);

  /** Marks a response as a result, or as a refusal. */
  public static void write(HttpServletResponse response, FailureCode refused) {
    response.setHeader(HEADER, refused == null ? RESULT : refused.name());
  }

  /**
   * Reads the disposition of another replica's answer; an answer of an older version is recognised by its structure.
   *
   * @param header null for none
   */
  public static Disposition of(String header, int status, byte[] body) {
    if (header == null) {
      FailureCode code = status == 500 ? RefusalReader.read(body, body.length) : null;
      return code == null ? FOREIGN : new Disposition(code, true);
    }
    try {
      return header.equals(RESULT)
          ? A_RESULT
          : new Disposition(FailureCode.valueOf(header), true);
    } catch (IllegalArgumentException e) {
      // The code of a newer version causes no retry here; the client reads the fault itself.
      return A_RESULT;
    }
  }
}
