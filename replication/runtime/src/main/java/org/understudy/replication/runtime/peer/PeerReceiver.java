package org.understudy.replication.runtime.peer;

import java.util.List;
import java.util.function.Consumer;
import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.core.Message;
import org.understudy.replication.runtime.codec.MessageFormat;

/** Receives what a channel delivers. Thread-safe. */
public interface PeerReceiver {
  /** The message format between these replicas. */
  MessageFormat format();

  /**
   * Handles messages in the order in which they were sent.
   *
   * @param from the authenticated sender
   * @param answers receives messages to the same replica that result at once, instead of {@link PeerChannel#send}: the
   *     response of a SOAP call, for example; null when the transport has none. Called at most once, by the calling thread and before
   *     other effects of the messages; not called when this replica has halted
   */
  void received(ReplicaId from, List<Message> messages, Consumer<List<Message>> answers);

  /** Takes a hint that a replica's process is gone: its port refuses connections. */
  void suspected(ReplicaId replica);
}
