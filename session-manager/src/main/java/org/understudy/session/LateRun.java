package org.understudy.session;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpSession;
import org.understudy.replication.api.FailureCode;
import org.understudy.replication.core.request.Failure;
import org.understudy.replication.core.request.Request;
import org.understudy.session.http.BufferedResponse;
import org.understudy.session.http.RepeatableRequest;
import org.understudy.session.record.AttributeException;

/**
 * What the web application does for a request whose {@link Exchange} has ended: a dispatch of an asynchronous request, or the end of such
 * a request for its listeners. What it changes in the session is an update of its own, which fails if another replica has changed the
 * session meanwhile: then the run has another permission, for a caller that can repeat what has been undone. Belongs to one thread.
 */
final class LateRun implements Run, AutoCloseable {
  private final ReplicatedSessionManager manager;
  private final HttpServletRequest request;
  private final BufferedResponse answer;
  private final Run before;
  /** Null until the run uses a session. */
  private SessionUpdate update;
  private Failure refusal;
  private boolean overtaken;

  /**
   * Begins the run; {@link #close} ends it.
   *
   * @param answer that is held back until the session is stable; null for none
   */
  LateRun(ReplicatedSessionManager manager, HttpServletRequest request, BufferedResponse answer) {
    this.manager = manager;
    this.request = RepeatableRequest.original(request);
    this.answer = answer;
    this.before = manager.runs().begin(this);
  }

  @Override
  public boolean executes(SessionTransaction some) {
    return update != null && update.transaction() == some;
  }

  /** Waits for the permission to execute when the run uses a session for the first time. */
  @Override
  public boolean isPermitted() {
    if (update == null) {
      try {
        begin();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        refusal = interrupted();
      }
    }
    return update.transaction() != null;
  }

  /** Repeats the submission for some seconds while the group changes its view, as a request of a client does. */
  private void begin() throws InterruptedException {
    long end = System.nanoTime() + CurrentRead.RETRY_NANOS;
    Submission.Event event;
    do {
      if (update != null) {
        update.close();
      }
      update = new SessionUpdate(manager, Request.serviceUpdate());
      event = update.next();
    } while (CurrentRead.isNotReady(event) && System.nanoTime() - end < 0);
    if (event instanceof Submission.Event.Failed failed) {
      refusal = failed.failure();
    }
  }

  private static Failure interrupted() {
    return new Failure(FailureCode.OutcomeUnknown, "The server is being stopped.");
  }

  @Override
  public SessionTransaction transaction() {
    if (!isPermitted()) {
      throw new UnavailableSessionException("The session cannot be used: " + refusal.sentence());
    }
    return update.transaction();
  }

  @Override
  public boolean names(String session) {
    HttpSession own = request.getSession(false);
    return own != null && own.getId().equals(session);
  }

  @Override
  public void refuse(Failure failure) {
    refusal = failure;
  }

  @Override
  public BufferedResponse answer() {
    return answer;
  }

  /**
   * Makes the update of what has been changed, and waits until it is stable.
   *
   * @return null when nothing has been changed, or the update is stable; else why it has no effect, or why the run was refused a session
   */
  Failure store() {
    overtaken = false;
    if (update == null || update.transaction() == null) {
      return null;
    }
    if (refusal != null) {
      return refusal;
    }
    if (!update.transaction().isUsed()) {
      return null;
    }
    try {
      Submission.Event event = update.propose();
      if (event instanceof Submission.Event.Failed failed) {
        return failed.failure();
      }
      if (event instanceof Submission.Event.Granted) {
        overtaken = true;
        return new Failure(FailureCode.NotReady, "The session was changed at another replica meanwhile.");
      }
      if (event != null) {
        manager.statistics().update();
      }
      return null;
    } catch (AttributeException e) {
      manager.attributeFailures().log(request.getMethod(), request.getRequestURI(), e);
      return new Failure(FailureCode.ExecutionFailed, e.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return interrupted();
    }
  }

  /** Whether {@link #store} has failed because another replica has changed the session meanwhile. */
  boolean isOvertaken() {
    return overtaken;
  }

  /** Ends the run. What has not been stored is undone. */
  @Override
  public void close() {
    manager.runs().end(before);
    if (update != null) {
      update.close();
    }
  }
}
