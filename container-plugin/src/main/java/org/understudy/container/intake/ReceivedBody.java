package org.understudy.container.intake;

import jakarta.servlet.ServletRequest;

/**
 * A request's body as it arrived.
 *
 * @param bytes the body; null when it exceeds the limit of this replica
 * @param length of the body, as far as it was read or announced
 */
public record ReceivedBody(byte[] bytes, long length) {
  private static final String ATTRIBUTE = ReceivedBody.class.getName();
  static final ReceivedBody NONE = new ReceivedBody(new byte[0], 0);

  /** Returns the body of a request; null when it has not been read yet. */
  public static ReceivedBody of(ServletRequest request) {
    return (ReceivedBody) request.getAttribute(ATTRIBUTE);
  }

  /** Releases the memory of a request that waits, no longer needs its body, and counts against another limit. */
  public static void drop(ServletRequest request) {
    NONE.keepIn(request);
    RequestMemory.end(request);
  }

  /** Releases the bytes of a body that has been converted. */
  public void forget(ServletRequest request) {
    new ReceivedBody(NONE.bytes, length).keepIn(request);
  }

  void keepIn(ServletRequest request) {
    request.setAttribute(ATTRIBUTE, this);
  }
}
