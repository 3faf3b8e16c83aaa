package org.understudy.replication.core.request;

import org.understudy.replication.api.VersionHandle;

/**
 * A result that may be returned to the client: stable, or stored earlier.
 *
 * @param handle the version that this result reveals
 * @param epoch of the view in which it is returned
 */
public record Reply(Response response, Status status, VersionHandle handle, long epoch) {
  /** Where the result comes from. */
  public enum Status {
    EXECUTED,
    REPLAYED,
    READ
  }
}
