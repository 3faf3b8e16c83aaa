package org.understudy.session;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.understudy.replication.core.request.Failure;
import org.understudy.replication.core.request.Reply;
import org.understudy.replication.core.request.Request;
import org.understudy.replication.runtime.Call;
import org.understudy.replication.runtime.Replica;

/**
 * One request at the replica, whose events one thread takes. Tomcat's thread waits: the replica answers each call within its deadline.
 */
final class Submission implements Call {
  private final Replica replica;
  private final BlockingQueue<Event> events = new LinkedBlockingQueue<>();
  /** Guarded by this: nothing takes events any more. */
  private boolean closed;

  /** What the replica says. */
  sealed interface Event {
    /** The request may be executed, for the first time or again. */
    record Granted(long token) implements Event {}

    /** The request has a stable answer. */
    record Answered(Reply reply) implements Event {}

    /** The request has no answer. */
    record Failed(Failure failure) implements Event {}
  }

  Submission(Replica replica, Request request) {
    this.replica = replica;
    replica.submit(request, this);
  }

  /** Waits for the next event. */
  Event next() throws InterruptedException {
    return events.take();
  }

  /** Ends this submission: an execution that is permitted from now on is given back. */
  void close() {
    synchronized (this) {
      closed = true;
    }
    for (Event event = events.poll(); event != null; event = events.poll()) {
      if (event instanceof Event.Granted granted) {
        replica.abandoned(granted.token());
      }
    }
  }

  @Override
  public void execute(long token, Request.Kind kind) {
    boolean late;
    synchronized (this) {
      late = closed;
      if (!late) {
        events.add(new Event.Granted(token));
      }
    }
    if (late) {
      replica.abandoned(token);
    }
  }

  @Override
  public void reply(Reply reply) {
    events.add(new Event.Answered(reply));
  }

  @Override
  public void fail(Failure failure) {
    events.add(new Event.Failed(failure));
  }
}
