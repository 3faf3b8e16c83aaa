package org.understudy.container.request;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/** Operations at the service's address that concern the group and its sessions: they do not reach the service. */
public interface GroupOperations {
  /** Whether the action of a request names one of these operations. */
  boolean isMeant(HttpServletRequest request);

  /**
   * Answers a request, possibly later. Does not block.
   *
   * @param body the request's envelope
   */
  void answer(HttpServletRequest request, HttpServletResponse response, byte[] body) throws IOException;
}
