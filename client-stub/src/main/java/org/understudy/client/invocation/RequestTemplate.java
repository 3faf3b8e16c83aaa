package org.understudy.client.invocation;

import java.net.URI;
import org.understudy.client.connection.Attempt;

/** A message that may have to be sent several times. */
public interface RequestTemplate {
  /**
   * Makes the next attempt. Everything but the replication header is the same as in the last one.
   *
   * @param number from 1
   * @param forward whether the replica is requested to forward it to the primary, which this client does not reach
   */
  Attempt attempt(URI replica, int number, boolean forward);
}
