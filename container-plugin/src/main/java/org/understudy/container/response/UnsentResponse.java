package org.understudy.container.response;

import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;

/**
 * The response of an asynchronous request, for a thread that must not block on the client. What {@link Answers} writes to it stays in the
 * container's buffer. The container sends it with a thread of its own when the request is completed, and computes its length.
 */
public final class UnsentResponse extends HttpServletResponseWrapper {
  /** @param response not committed, and without content */
  public UnsentResponse(HttpServletResponse response) {
    super(response);
  }

  /** Enlarges the buffer if necessary. The length is not announced: the container would send the response as soon as it is complete. */
  @Override
  public void setContentLength(int length) {
    if (length > getBufferSize()) {
      setBufferSize(length);
    }
  }

  /** Sends nothing. */
  @Override
  public void flushBuffer() {}
}
