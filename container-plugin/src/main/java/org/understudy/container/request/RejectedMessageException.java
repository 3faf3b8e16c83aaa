package org.understudy.container.request;

/** The service's stack has rejected a message without an answer that says so. Nothing was executed, and the request may be repeated. */
final class RejectedMessageException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  RejectedMessageException() {
    super(
        "The service's stack has rejected the one-way message before the service. Nothing was executed. See the server's log for the"
            + " reason. A corrected message may have the same request id.");
  }
}
