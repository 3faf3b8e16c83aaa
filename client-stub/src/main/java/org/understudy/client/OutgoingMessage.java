package org.understudy.client;

import org.understudy.client.connection.Content;
import org.understudy.replication.soap.HeaderBlock;

/** The message of one call, from which each attempt's content is made. Not thread-safe. */
interface OutgoingMessage {
  int SHORT_BYTES = 64 << 10;

  /** The content of one attempt. */
  record Sent(String contentType, HttpFields http, Content content) {}

  /** A handler has ended the interceptor chain and delivered a response of its own: nothing is sent. */
  final class AnsweredByHandlerException extends RuntimeException {
    private static final long serialVersionUID = 1;

    AnsweredByHandlerException() {
      super("A handler of the client has answered the call; nothing is sent.", null, false, false);
    }
  }

  /**
   * Creates the content of one attempt.
   *
   * @param constant header blocks that are the same in each attempt; may be empty
   * @param block the replication header of this attempt
   * @throws AnsweredByHandlerException when there is nothing to send
   */
  Sent attempt(byte[] constant, HeaderBlock block);

  /** Whether a second copy costs little: at most {@link #SHORT_BYTES} and no attachments, as far as known before it is written. */
  boolean isShort();
}
