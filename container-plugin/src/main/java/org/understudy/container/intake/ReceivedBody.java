package org.understudy.container.intake;

import jakarta.servlet.ServletRequest;

/**
 * A request's body as it arrived.
 *
 * @param bytes the body; null when it was longer than this replica takes
 * @param length of the body, as far as it was read or announced
 */
public record ReceivedBody(byte[] bytes, long length) {
  private static final String ATTRIBUTE = ReceivedBody.class.getName();
  static final ReceivedBody NONE = new ReceivedBody(new byte[0], 0);

  /** Null when the body is still to be read from the request. */
  public static ReceivedBody of(ServletRequest request) {
    return (ReceivedBody) request.getAttribute(ATTRIBUTE);
  }

  /** Lets go of the body of a request that waits and needs it no more. */
  public static void drop(ServletRequest request) {
    NONE.keepIn(request);
  }

  void keepIn(ServletRequest request) {
    request.setAttribute(ATTRIBUTE, this);
  }
}
