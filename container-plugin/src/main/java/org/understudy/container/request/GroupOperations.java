package org.understudy.container.request;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/** Operations at the service's address that concern the group and its sessions: they do not reach the service. */
public interface GroupOperations {
  /** Whether a request is one of these, by its action. */
  boolean isMeant(HttpServletRequest request);

  /**
   * Answers a request, now or later; does not block.
   *
   * @param body its envelope
   */
  void answer(HttpServletRequest request, HttpServletResponse response, byte[] body) throws IOException;
}
