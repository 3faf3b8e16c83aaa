package org.understudy.replication.runtime;

import java.util.List;
import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.core.Message;

/**
 * How messages travel to other replicas: the transfer mode. Messages to one replica keep their order; any may be lost.
 */
public interface PeerChannel extends AutoCloseable {
  /** As written in {@code understudy.transfer}: socket, call, notification. */
  String name();

  /**
   * Begins to receive.
   *
   * @throws java.io.IOException when the channel cannot be opened, with a message that names the address and the reason
   */
  void open(PeerReceiver receiver) throws java.io.IOException;

  /**
   * Sends without blocking and without throwing: the caller is on a request's way and has no use for either. What does
   * not fit the queue is dropped; the protocol sends again what it needs.
   */
  void send(ReplicaId to, List<Message> messages);

  @Override
  void close();
}
