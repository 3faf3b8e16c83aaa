package org.understudy.replication.runtime;

import java.util.List;
import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.core.Message;
import org.understudy.replication.runtime.codec.MessageFormat;

/** Where a channel hands over what arrived. Thread-safe. */
public interface PeerReceiver {
  /** How messages between these replicas are read. */
  MessageFormat format();

  /**
   * Takes messages in the order in which they were sent.
   *
   * @param from the authenticated sender
   * @param answers where messages to the same replica that result at once go, instead of {@link PeerChannel#send}: the
   *     response of a SOAP call, for example; null when there is no such way back
   */
  void received(ReplicaId from, List<Message> messages, List<Message> answers);

  /** A hint that a replica's process is gone: its port refuses connections. */
  void suspected(ReplicaId replica);
}
