package org.understudy.client.session;

import java.io.IOException;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.understudy.client.connection.Access;
import org.understudy.client.envelope.Answer;
import org.understudy.client.envelope.AnswerReader;
import org.understudy.client.envelope.SessionAnswer;
import org.understudy.client.envelope.SessionRequest;
import org.understudy.client.invocation.ClientContext;
import org.understudy.client.invocation.InvocationFailedException;
import org.understudy.client.invocation.InvocationTask;
import org.understudy.replication.api.Certainty;
import org.understudy.replication.api.FailureCode;

/**
 * The one open session of one principal: opened when first needed, renewed while idle, closed at the end, as
 * {@link SessionLifecycle} decides. Thread-safe; no lock is held over I/O.
 */
public final class SessionKeeper {
  private static final Logger LOG = LoggerFactory.getLogger(SessionKeeper.class);
  private static final SecureRandom RANDOM = new SecureRandom();
  private static final long CLOSE_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

  private final ClientContext carrier;
  private final SeenVersions versions;
  private final Access access;

  private final SessionLifecycle lifecycle = new SessionLifecycle();
  // Guarded by this.
  private CompletableFuture<Session> opening;
  private ScheduledFuture<?> renewal;

  /**
   * @param access of the principal
   */
  public SessionKeeper(ClientContext carrier, SeenVersions versions, Access access) {
    this.carrier = carrier;
    this.versions = versions;
    this.access = access;
  }

  /**
   * The open session; opens one if there is none, once for all callers.
   *
   * @param deadline in {@link System#nanoTime()}
   */
  public Session obtain(long deadline) throws InvocationFailedException {
    while (true) {
      Session open = lifecycle.use(System.nanoTime());
      if (open != null) {
        return open;
      }
      CompletableFuture<Session> mine = null;
      CompletableFuture<Session> awaited;
      synchronized (this) {
        if (lifecycle.beginsOpening()) {
          opening = mine = new CompletableFuture<>();
        }
        awaited = opening;
      }
      if (mine != null) {
        return open(mine, deadline);
      }
      if (awaited != null) {
        await(awaited, deadline);
      }
    }
  }

  private Session open(CompletableFuture<Session> mine, long deadline) throws InvocationFailedException {
    Session opened = null;
    try {
      byte[] nonce = new byte[16];
      RANDOM.nextBytes(nonce);
      SessionRequest request = SessionRequest.open(HexFormat.of().formatHex(nonce));
      opened = opened(read(deliver(request, deadline)));
      return opened;
    } catch (InvocationFailedException e) {
      // Only the session may have been opened; the invocation itself has not begun.
      throw new InvocationFailedException("No session could be opened", e.tried(), Certainty.NOT_EXECUTED,
          e.code().orElse(null), e);
    } catch (IOException e) {
      throw new InvocationFailedException("No session could be opened: the service does not speak"
          + " urn:understudy:replication:1", List.of(), Certainty.NOT_EXECUTED, null, e);
    } finally {
      if (opened == null) {
        synchronized (this) {
          opening = null;
          lifecycle.notOpened();
        }
      }
      mine.complete(opened);
    }
  }

  private Session opened(SessionAnswer answer) throws IOException {
    versions.saw(answer.versions());
    carrier.views().learn(answer.view());
    synchronized (this) {
      Session opened = lifecycle.opened(System.nanoTime(), answer);
      if (opened == null) {
        throw new IOException("The response of OpenSession has no session or no lease.");
      }
      opening = null;
      long interval = SessionLifecycle.renewalInterval(opened);
      renewal = carrier.clock().scheduleWithFixedDelay(() -> renewIfIdle(opened), interval, interval, TimeUnit.NANOSECONDS);
      return opened;
    }
  }

  private static void await(CompletableFuture<Session> opening, long deadline) throws InvocationFailedException {
    try {
      opening.get(Math.max(0, deadline - System.nanoTime()), TimeUnit.NANOSECONDS);
    } catch (TimeoutException | ExecutionException e) {
      throw new InvocationFailedException(
          "No session could be opened in time", List.of(), Certainty.NOT_EXECUTED, null, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InvocationFailedException(
          "The calling thread was interrupted", List.of(), Certainty.NOT_EXECUTED, null, e);
    }
  }

  /** Called when the group no longer has this session; the next invocation opens another one. */
  public void expired(Session gone) {
    synchronized (this) {
      if (lifecycle.expired(gone)) {
        stopRenewal();
      }
    }
  }

  private void renewIfIdle(Session open) {
    long now = System.nanoTime();
    if (!lifecycle.isRenewalDue(open, now)) {
      return;
    }
    try {
      deliver(SessionRequest.renew(open.id()), now + SessionLifecycle.renewalInterval(open));
    } catch (InvocationFailedException e) {
      if (e.code().filter(FailureCode.SessionExpired::equals).isPresent()) {
        expired(open);
      } else {
        LOG.debug("The session was not renewed; retrying after a third of its lease: {}", e.getMessage());
      }
    } catch (RuntimeException e) {
      LOG.warn("The session was not renewed because of a defect; retrying after a third of its lease", e);
    }
  }

  /** Closes the session on the servers; gives up after half a second, its lease then ends it. */
  public void close() {
    Session open;
    synchronized (this) {
      open = lifecycle.end();
      stopRenewal();
    }
    if (open == null) {
      return;
    }
    try {
      deliver(SessionRequest.close(open.id()), System.nanoTime() + CLOSE_NANOS);
    } catch (InvocationFailedException e) {
      LOG.debug("The session was not closed; it expires with its lease: {}", e.getMessage());
    }
  }

  private void stopRenewal() {
    if (renewal != null) {
      renewal.cancel(false);
      renewal = null;
    }
  }

  private Answer deliver(SessionRequest request, long deadline) throws InvocationFailedException {
    return new InvocationTask(carrier, new SessionRequestTemplate(request, access), deadline).deliver();
  }

  private static SessionAnswer read(Answer answer) throws IOException {
    if (!answer.isSoap()) {
      throw new IOException("HTTP " + answer.status() + " without SOAP");
    }
    return AnswerReader.readSession(answer);
  }
}
