package org.understudy.lab.group;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.understudy.lab.cluster.CounterAddress;
import org.understudy.lab.cluster.Envelopes;
import org.understudy.lab.http.HttpConnection;
import org.understudy.replication.api.ReadLevel;

/**
 * One client of a counter, with a session and a version handle, as the paper's clients. It follows redirects and stays where
 * they lead. Not thread-safe; blocks.
 */
final class CounterClient implements AutoCloseable {
  private static final String OPEN_SESSION = "urn:understudy:replication:1/OpenSession";
  private static final Pattern SESSION = Pattern.compile("<ur:Session>([0-9a-f]+)<");
  private static final Pattern VERSION = Pattern.compile("<ur:VersionHandle>([0-9.]+)<");
  private static final Pattern TARGET = Pattern.compile("<ur:Target>([0-9]+)<");
  private static final Pattern NUMBER = Pattern.compile("Response[^>]*>(?:<[^>/]*>)?(-?[0-9]+)<");
  private static final Pattern EXECUTIONS = Pattern.compile("executions;desc=\"([0-9]+)\"");

  private static final int MAX_ATTEMPTS = 200;
  private static final long PAUSE_MS = 50;

  private final List<HttpConnection> replicas = new ArrayList<>();
  private final String service;
  private int at;
  private String session;
  private String version;
  private long sequence;
  private String counter;
  private int redirects;
  private int executions;

  /**
   * Opens a session.
   *
   * @param services the URL of the service at every replica, in the order of their numbers
   * @param first the number of the replica that gets the requests until it redirects them
   */
  CounterClient(List<URI> services, int first) throws IOException {
    services.forEach(replica -> replicas.add(new HttpConnection(replica)));
    service = services.get(0).getRawPath();
    at = first - 1;
    String nonce = UUID.randomUUID().toString().replace("-", "");
    String opened =
        replicas.get(at).post(service, OPEN_SESSION, Envelopes.openSession(nonce)).body();
    session = found(SESSION, opened);
    version = found(VERSION, opened);
  }

  /** Makes a counter of this client's own. Returns its path, for clients that share it. */
  String create() throws IOException {
    String answer = call(service, "", "<createCounter xmlns=\"http://counter.com\"/>");
    counter = CounterAddress.in(answer).getRawPath();
    return counter;
  }

  /** Uses the counter of another client. */
  void share(String path) {
    counter = path;
  }

  /** Adds 1; returns the total. */
  int add() throws IOException {
    return number(call(counter, "", "<add xmlns=\"http://counter.com\"><value>1</value></add>"));
  }

  int read(ReadLevel level) throws IOException {
    String wanted = "<ur:ReadLevel>" + level.name().toLowerCase(java.util.Locale.ROOT) + "</ur:ReadLevel>";
    return number(call(counter, wanted, "<getValue xmlns=\"http://counter.com\"/>"));
  }

  /** The number of times that a replica has redirected this client. */
  int redirects() {
    return redirects;
  }

  /** How often the service ran for the last request; 0 when the replica does not report it. */
  int executions() {
    return executions;
  }

  private String call(String path, String level, String body) throws IOException {
    sequence++;
    for (int attempt = 1; ; attempt++) {
      String header =
          "<ur:ReplicationHeader><ur:Session>" + session + "</ur:Session><ur:Sequence>" + sequence + "</ur:Sequence><ur:AckBelow>"
              + sequence + "</ur:AckBelow><ur:VersionHandle>" + version + "</ur:VersionHandle><ur:Attempt>" + attempt
              + "</ur:Attempt>" + level + "</ur:ReplicationHeader>";
      HttpConnection.Answer answer = replicas.get(at).post(path, "", Envelopes.envelope(header, body));
      Matcher target = answer.status() == 200 ? null : TARGET.matcher(answer.body());
      if (target == null) {
        version = found(VERSION, answer.body());
        Matcher ran = EXECUTIONS.matcher(answer.field("Server-Timing"));
        executions = ran.find() ? Integer.parseInt(ran.group(1)) : 0;
        return answer.body();
      }
      if (target.find()) {
        at = Integer.parseInt(target.group(1)) - 1;
        redirects++;
      } else {
        retryLater(attempt, answer);
      }
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
    return Integer.parseInt(found(NUMBER, answer));
  }

  private static String found(Pattern pattern, String answer) throws IOException {
    Matcher found = pattern.matcher(answer);
    if (!found.find()) {
      throw new IOException("The response lacks " + pattern + ": " + answer);
    }
    return found.group(1);
  }

  /** Ends the connections. The next request connects again, in the same session. */
  void disconnect() {
    replicas.forEach(HttpConnection::close);
  }

  @Override
  public void close() {
    disconnect();
  }
}
