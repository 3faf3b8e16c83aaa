package org.understudy.container.request;

import jakarta.servlet.http.HttpServletResponse;
import org.understudy.container.request.ForwardingConnections.Answer;
import org.understudy.container.soap.RefusalReader;
import org.understudy.replication.api.FailureCode;

/**
 * Whether a response is a result or a refusal of the container. Every response of the container states this in an HTTP
 * header, which is written last and which a service cannot set.
 *
 * @param refused the reason why there is no result; null for a result, and for a response that is not from the container
 * @param ofContainer false when the response is from another component: the server while the web application is not deployed, or a proxy
 */
record Disposition(FailureCode refused, boolean ofContainer) {
  static final String HEADER = "Understudy-Disposition";
  private static final String RESULT = "result";

  private static final Disposition A_RESULT = new Disposition(null, true);
  private static final Disposition FOREIGN = new Disposition(null, false);

  /** Marks a response as a result, or as a refusal. */
  static void write(HttpServletResponse response, FailureCode refused) {
    response.setHeader(HEADER, refused == null ? RESULT : refused.name());
  }

  /** Reads the disposition of another replica's answer; an answer of an older version is recognised by its structure. */
  static Disposition of(Answer answer) {
    if (answer.disposition() == null) {
      FailureCode code = answer.status() == 500 ? RefusalReader.read(answer.body(), answer.body().length) : null;
      return code == null ? FOREIGN : new Disposition(code, true);
    }
    try {
      return answer.disposition().equals(RESULT)
          ? A_RESULT
          : new Disposition(FailureCode.valueOf(answer.disposition()), true);
    } catch (IllegalArgumentException e) {
      // The code of a newer version causes no retry here; the client reads the fault itself.
      return A_RESULT;
    }
  }
}
