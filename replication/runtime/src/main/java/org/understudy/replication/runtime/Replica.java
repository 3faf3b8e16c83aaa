package org.understudy.replication.runtime;

import java.util.List;
import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.api.View;
import org.understudy.replication.core.Message;
import org.understudy.replication.core.ReplicaStatus;
import org.understudy.replication.core.ReplicationStrategy;
import org.understudy.replication.core.Request;
import org.understudy.replication.core.Response;
import org.understudy.replication.core.StateChange;

/** One replica at work: a core, its exclusion, its clock and its channel. Thread-safe; no method blocks on I/O. */
public final class Replica implements PeerReceiver, AutoCloseable {

  /** Starts ticking and receiving. The channel is null for a strategy that needs no peers. Closes the channel on close. */
  public static Replica open(RuntimeSettings settings, ReplicationStrategy strategy, PeerChannel channel)
      throws java.io.IOException {
    throw new UnsupportedOperationException();
  }

  public void submit(Request request, Call call) {
    throw new UnsupportedOperationException();
  }

  public void executed(long token, Response response, List<StateChange> changes) {
    throw new UnsupportedOperationException();
  }

  public void abandoned(long token) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void received(ReplicaId from, List<Message> messages, List<Message> answers) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void suspected(ReplicaId replica) {
    throw new UnsupportedOperationException();
  }

  /** The state of a resource that live objects are to show (null: there is none). */
  public byte[] state(String resource) {
    throw new UnsupportedOperationException();
  }

  /**
   * Grows whenever live objects made from {@link #state} before may be out of date for this resource: compare it to
   * know whether to restore again. A primary's own executions do not change it.
   */
  public long stateVersion(String resource) {
    throw new UnsupportedOperationException();
  }

  /** The view as last known; a cheap volatile read. */
  public View view() {
    throw new UnsupportedOperationException();
  }

  public ReplicaStatus status() {
    throw new UnsupportedOperationException();
  }

  public void listen(ViewListener listener) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void close() {
    throw new UnsupportedOperationException();
  }
}
