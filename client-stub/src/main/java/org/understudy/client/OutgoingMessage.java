package org.understudy.client;

import org.understudy.client.connection.Content;
import org.understudy.replication.soap.HeaderBlock;

/** The message of one call, from which each attempt's content is made. Not thread-safe. */
interface OutgoingMessage {
  /** The content of one attempt. */
  record Sent(String contentType, HttpFields http, Content content) {}

  /**
   * Creates the content of one attempt.
   *
   * @param constant header blocks that are the same in each attempt; may be empty
   * @param block the replication header of this attempt
   */
  Sent attempt(byte[] constant, HeaderBlock block);
}
