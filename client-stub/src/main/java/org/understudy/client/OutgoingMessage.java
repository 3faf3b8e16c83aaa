package org.understudy.client;

import org.understudy.client.connection.Content;
import org.understudy.replication.soap.HeaderBlock;

/** The message of one call, from which each attempt gets what it sends. Used by one thread at a time. */
interface OutgoingMessage {
  /** What one attempt sends. */
  record Sent(String contentType, Content content) {}

  /**
   * The message of one attempt.
   *
   * @param constant header blocks that are the same in each attempt; may be empty
   * @param block the replication header of this attempt
   */
  Sent attempt(byte[] constant, HeaderBlock block);
}
