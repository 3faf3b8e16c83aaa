package org.understudy.replication.runtime.peer;

import java.util.List;
import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.core.Message;

/** Carries messages to other replicas, by one transfer mode. Messages to one replica keep their order; any can be lost. */
public interface PeerChannel extends AutoCloseable {
  /** As written in {@code understudy.transfer}: socket, call, notification. */
  String name();

  /**
   * Occupies the address of this replica. Connections of peers wait until {@link #start}.
   *
   * @throws java.io.IOException when the channel cannot be opened, with a message that names the address and the reason
   */
  void open(PeerReceiver receiver) throws java.io.IOException;

  /** Begins to connect and to receive. Called once, after {@link #open}; without effect after {@link #close}. */
  void start();

  /**
   * Sends without blocking and without throwing, because the caller processes a request. Messages that do not fit the queue
   * are dropped; the protocol resends what it needs.
   */
  void send(ReplicaId to, List<Message> messages);

  /**
   * Has the calling thread receive the answers to the updates that it sends from now on, until {@link AnswerWait#end}. It should end soon,
   * because the channel has one such wait.
   *
   * @return null when this channel has no such waits, or another thread waits
   */
  default AnswerWait beginAnswerWait() {
    return null;
  }

  /**
   * Returns the newest wire version that both this replica and the peer read, as their last handshake found; 0 before the first. Does not
   * block.
   */
  default int wire(ReplicaId peer) {
    return 0;
  }

  /** Returns where this channel reaches a replica, for operators; null if that is unknown. */
  default String address(ReplicaId peer) {
    return null;
  }

  /**
   * Returns the replicas to which this one is not connected because one refuses the other, each with the reason in one line. Does not
   * block.
   */
  default List<String> refusals() {
    return List.of();
  }

  @Override
  void close();
}
