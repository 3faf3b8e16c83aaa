package org.understudy.client.session;

import java.net.URI;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.understudy.client.connection.Attempt;
import org.understudy.client.connection.Content;
import org.understudy.client.envelope.SessionRequest;
import org.understudy.client.invocation.RequestTemplate;

/**
 * A session or failover operation; its attempts differ only in the request to be forwarded.
 *
 * @param request the operation
 * @param authorization the HTTP header's value, or null
 */
public record SessionRequestTemplate(SessionRequest request, String authorization) implements RequestTemplate {
  /** No service runs, and a view change rarely takes longer. A client that has no view yet hears of it from another replica only. */
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  @Override
  public Attempt attempt(URI replica, int number, boolean forward) {
    Map<String, String> headers = new HashMap<>();
    headers.put("SOAPAction", '"' + request.action() + '"');
    headers.put("Accept", "text/xml");
    if (authorization != null) {
      headers.put("Authorization", authorization);
    }
    return new Attempt(replica, replica, "text/xml; charset=UTF-8", headers, Content.of(forward ? request.forwarded() : request.bytes()));
  }

  @Override
  public Duration patience() {
    return PATIENCE;
  }
}
