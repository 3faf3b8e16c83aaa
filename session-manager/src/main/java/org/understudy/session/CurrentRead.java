package org.understudy.session;

import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.understudy.replication.api.FailureCode;
import org.understudy.replication.api.ReadLevel;
import org.understudy.replication.api.VersionHandle;
import org.understudy.replication.core.request.Request;
import org.understudy.replication.core.request.Response;
import org.understudy.replication.runtime.Proposal;
import org.understudy.replication.runtime.Replica;

/** A linearizable read of nothing: it waits until this replica shows every update that is stable when the read begins. */
final class CurrentRead {
  /** For how long a request waits for a replica that is about to serve it. */
  static final long RETRY_NANOS = TimeUnit.SECONDS.toNanos(5);

  private static final long RETRY_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

  private final Replica replica;
  private final String client;

  /** @param client who pays for the read, as in {@link Request#owner} */
  CurrentRead(Replica replica, String client) {
    this.replica = replica;
    this.client = client;
  }

  /**
   * Reads; repeats the read for some seconds while the group changes its view.
   *
   * @param seen the least that this replica must show
   * @param current runs when it shows all that is stable
   * @return an answer when the replica may answer a client, else the failure
   */
  Submission.Event run(VersionHandle seen, Runnable current) throws InterruptedException {
    long end = System.nanoTime() + RETRY_NANOS;
    Submission.Event event;
    do {
      Submission read =
          new Submission(replica, new Request(null, 0, Request.Kind.READ, ReadLevel.LINEARIZABLE, seen, 0, "", client));
      event = read.next();
      if (event instanceof Submission.Event.Granted granted) {
        current.run();
        replica.executed(granted.token(), Map.of(), Response.EMPTY, List.of(), Proposal.NOTHING);
        event = read.next();
      }
    } while (isNotReady(event) && System.nanoTime() - end < 0);
    return event;
  }

  /** Whether to retry soon; waits a little then. */
  static boolean isNotReady(Submission.Event event) {
    boolean soon = event instanceof Submission.Event.Failed failed && failed.failure().code() == FailureCode.NotReady;
    if (soon) {
      LockSupport.parkNanos(RETRY_PAUSE_NANOS);
    }
    return soon;
  }
}
