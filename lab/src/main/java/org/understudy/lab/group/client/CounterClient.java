package org.understudy.lab.group.client;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.understudy.lab.http.HttpConnection;
import org.understudy.replication.api.ReadLevel;

/**
 * One client of a counter, with a session and a version handle, as the paper's clients. It follows redirects and stays where
 * they lead. Not thread-safe; blocks.
 */
public final class CounterClient implements AutoCloseable {
  private static final Pattern NUMBER = Pattern.compile("Response[^>]*>(?:<[^>/]*>)?(-?[0-9]+)<");
  private static final Pattern EXECUTIONS = Pattern.compile("executions;desc=\"([0-9]+)\"");

  private static final int MAX_ATTEMPTS = 200;
  private static final long PAUSE_MS = 50;

  private final List<HttpConnection> replicas = new ArrayList<>();
  private final String service;
  private final CounterSession session = new CounterSession();
  private int at;
  private int redirects;
  private int executions;

  /**
   * Opens a session.
   *
   * @param services the URL of the service at every replica, in the order of their numbers
   * @param first the number of the replica that gets the requests until it redirects them
   */
  public CounterClient(List<URI> services, int first) throws IOException {
    services.forEach(replica -> replicas.add(new HttpConnection(replica)));
    service = services.get(0).getRawPath();
    at = first - 1;
    session.opened(replicas.get(at).post(service, CounterSession.OPEN_SESSION, session.opening()).body());
  }

  /** Makes a counter of this client's own. Returns its path, for clients that share it. */
  public String create() throws IOException {
    session.created(call(service, session.create()));
    return session.counter();
  }

  /** Uses the counter of another client. */
  public void share(String path) {
    session.counter(path);
  }

  /** Adds 1; returns the total. */
  public int add() throws IOException {
    return number(call(session.counter(), session.add()));
  }

  public int read(ReadLevel level) throws IOException {
    return number(call(session.counter(), session.read(level.name().toLowerCase(Locale.ROOT))));
  }

  /** The number of times that a replica has redirected this client. */
  public int redirects() {
    return redirects;
  }

  /** How often the service ran for the last request; 0 when the replica does not report it. */
  public int executions() {
    return executions;
  }

  /** The session, for requests on other connections; then none may be sent by this client. */
  public CounterSession session() {
    return session;
  }

  private String call(String path, String envelope) throws IOException {
    String next = envelope;
    for (int attempt = 1; ; attempt++) {
      HttpConnection.Answer answer = replicas.get(at).post(path, "", next);
      if (answer.status() == 200) {
        session.answered(answer.body());
        Matcher ran = EXECUTIONS.matcher(answer.field("Server-Timing"));
        executions = ran.find() ? Integer.parseInt(ran.group(1)) : 0;
        return answer.body();
      }
      int target = CounterSession.target(answer.body());
      if (target > 0) {
        at = target - 1;
        redirects++;
      } else {
        retryLater(attempt, answer);
      }
      next = session.again();
    }
  }

  /** The next attempt goes to the next replica, with the same number in the session: nothing is executed twice. */
  private void retryLater(int attempt, HttpConnection.Answer answer) throws IOException {
    if (attempt == MAX_ATTEMPTS) {
      throw new IOException("HTTP status " + answer.status() + ": " + answer.body());
    }
    at = (at + 1) % replicas.size();
    try {
      Thread.sleep(PAUSE_MS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("Interrupted between two attempts.");
    }
  }

  private static int number(String answer) throws IOException {
    return Integer.parseInt(CounterSession.found(NUMBER, answer));
  }

  /** Ends the connections. The next request connects again, in the same session. */
  public void disconnect() {
    replicas.forEach(HttpConnection::close);
  }

  @Override
  public void close() {
    disconnect();
  }
}
