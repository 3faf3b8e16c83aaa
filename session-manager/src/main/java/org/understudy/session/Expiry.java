package org.understudy.session;

import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.understudy.replication.api.FailureCode;
import org.understudy.replication.core.request.Failure;
import org.understudy.replication.core.request.Request;
import org.understudy.session.record.AttributeException;

/** Ends expired sessions for the whole group, by updates in the log. Runs at the replica that has the duty, in a thread of its own. */
final class Expiry extends OwnUpdate {
  private static final Logger LOG = LoggerFactory.getLogger(Expiry.class);

  /** Sessions that one update ends. A conflict with a request runs the listeners of all of them again. */
  private static final int BATCH = 32;

  private int ended;

  Expiry(ReplicatedSessionManager manager) {
    super(manager);
  }

  @Override
  public void refuse(Failure failure) {
    LOG.warn("An expired session has not been ended: {}", failure.sentence());
  }

  /**
   * Ends the sessions unless a request has used them meanwhile; several with one update. A refused update is repeated by the next check.
   */
  void end(List<String> sessions) throws InterruptedException {
    for (int begin = 0; begin < sessions.size(); begin += BATCH) {
      List<String> batch = sessions.subList(begin, Math.min(begin + BATCH, sessions.size()));
      if (!endTogether(batch) && batch.size() > 1) {
        for (String session : batch) {
          endTogether(List.of(session));
        }
      }
    }
  }

  /** Returns false when one of the sessions cannot be ended, so that none has been. */
  private boolean endTogether(List<String> sessions) throws InterruptedException {
    try {
      Submission.Event answer = execute(Request.internalUpdate(), () -> endUnused(sessions));
      if (answer instanceof Submission.Event.Failed failed) {
        refuse(failed.failure());
        return failed.failure().code() != FailureCode.TooLarge;
      }
      if (answer != null) {
        manager().statistics().expired(ended);
      }
      return true;
    } catch (AttributeException e) {
      return notEnded(sessions, e.details());
    } catch (UnavailableSessionException e) {
      return notEnded(sessions, e.getMessage());
    }
  }

  private static boolean notEnded(List<String> sessions, String reason) {
    if (sessions.size() == 1) {
      LOG.warn("The expired session {} has not been ended: {}", sessions.get(0), reason);
    }
    return false;
  }

  private void endUnused(List<String> sessions) {
    ended = 0;
    for (String session : sessions) {
      // The next check finds a session again that a request uses: it may use it for long, and the others of the batch would wait.
      if (transaction().lockUnused(session) && transaction().find(session) == null) {
        ended++;
      }
    }
  }
}
