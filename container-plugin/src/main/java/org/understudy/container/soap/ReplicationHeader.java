package org.understudy.container.soap;

import java.util.Set;
import javax.xml.namespace.QName;
import org.understudy.replication.api.ReadLevel;
import org.understudy.replication.api.SessionId;
import org.understudy.replication.api.VersionHandle;

/**
 * The replication header that a client's stub adds to its request; see {@code docs/wire.md}.
 *
 * @param session null when it keeps none
 * @param sequence from 1 within a session; 0 without
 * @param handle what the client has seen of the group
 * @param level null when the client requests none
 * @param forward whether the client does not reach a replica that serves the request, and this one is to forward it
 */
public record ReplicationHeader(
    SessionId session,
    long sequence,
    long ackBelow,
    VersionHandle handle,
    long epoch,
    int attempt,
    ReadLevel level,
    boolean forward) {
  public static final String NAMESPACE = "urn:understudy:replication:1";
  /** The name of the header block. */
  public static final QName NAME = new QName(NAMESPACE, "ReplicationHeader");
  /** The reference parameter with the id of a resource. */
  static final QName RESOURCE_ID = new QName(NAMESPACE, "ResourceId");
  /** The header blocks that the plugin reads, beside WS-Addressing's. */
  static final Set<QName> BLOCKS = Set.of(NAME, RESOURCE_ID);

  /** Of a client that needs no forwarding. */
  public ReplicationHeader(
      SessionId session,
      long sequence,
      long ackBelow,
      VersionHandle handle,
      long epoch,
      int attempt,
      ReadLevel level) {
    this(session, sequence, ackBelow, handle, epoch, attempt, level, false);
  }
}
