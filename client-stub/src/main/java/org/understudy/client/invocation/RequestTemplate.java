package org.understudy.client.invocation;

import java.net.URI;
import java.time.Duration;
import org.understudy.client.connection.Attempt;

/** A message that may be sent several times. */
public interface RequestTemplate {
  /**
   * Creates the next attempt. Only the replication header differs from the last one.
   *
   * @param number from 1
   * @param forward whether the replica is asked to forward it to the primary, which this client does not reach
   */
  Attempt attempt(URI replica, int number, boolean forward);

  /**
   * Whether the message may be the first one that this client sends to a replica that joined. If that does not answer within some tens
   * of milliseconds, the message is sent to another one, and may be executed by both; one of the executions is discarded.
   */
  default boolean isFitForTrial() {
    return false;
  }

  /**
   * The longest wait for a byte of one replica's answer. The message is sent to another replica then, and may be executed by both; one of
   * the executions is discarded.
   *
   * @param left until the deadline of the message
   * @param usual the client's response timeout
   */
  default Duration patience(Duration left, Duration usual) {
    return left.compareTo(usual) < 0 ? left : usual;
  }
}
