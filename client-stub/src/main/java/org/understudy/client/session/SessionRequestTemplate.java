package org.understudy.client.session;

import java.net.URI;
import java.time.Duration;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.understudy.client.connection.Access;
import org.understudy.client.connection.Attempt;
import org.understudy.client.connection.Content;
import org.understudy.client.envelope.SessionRequest;
import org.understudy.client.invocation.RequestTemplate;

/**
 * A session or failover operation; its attempts differ only in the request to be forwarded.
 *
 * @param request the operation
 * @param access of the principal
 */
public record SessionRequestTemplate(SessionRequest request, Access access) implements RequestTemplate {
  /** No service runs, and a view change rarely takes longer. A client that has no view yet hears of it from another replica only. */
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  @Override
  public Attempt attempt(URI replica, int number, boolean forward) {
    Map<String, String> headers = new HashMap<>();
    headers.put("SOAPAction", '"' + request.action() + '"');
    headers.put("Accept", "text/xml");
    Content content = Content.of(forward ? request.forwarded() : request.bytes());
    return new Attempt(replica, replica, access, "text/xml; charset=UTF-8", headers, content);
  }

  @Override
  public Duration patience(Duration left, Duration usual) {
    return Collections.min(List.of(left, usual, PATIENCE));
  }
}
