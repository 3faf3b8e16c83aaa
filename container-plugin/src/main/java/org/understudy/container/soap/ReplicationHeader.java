package org.understudy.container.soap;

import org.understudy.replication.api.ReadLevel;
import org.understudy.replication.api.SessionId;
import org.understudy.replication.api.VersionHandle;

/**
 * What a client's stub says of its request; see {@code docs/wire.md}.
 *
 * @param session null when it keeps none
 * @param sequence from 1 within a session; 0 without
 * @param level null when the client asks for none
 */
public record ReplicationHeader(
    SessionId session,
    long sequence,
    long ackBelow,
    VersionHandle handle,
    long epoch,
    int attempt,
    ReadLevel level) {
  public static final String NAMESPACE = "urn:understudy:replication:1";
}
