package org.understudy.lab.group.client;

import java.io.IOException;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.understudy.lab.cluster.CounterAddress;
import org.understudy.lab.cluster.Envelopes;

/**
 * What one client of a counter has: its session, the number of its last request, its version handle and its counter. Makes the envelopes of
 * its requests, and takes what it must know from the answers. It has no connection. Not thread-safe.
 */
public final class CounterSession {
  /** The action of {@link #opening}; other requests have none. */
  static final String OPEN_SESSION = "urn:understudy:replication:1/OpenSession";

  private static final Pattern SESSION = Pattern.compile("<ur:Session>([0-9a-f]+)<");
  private static final Pattern VERSION = Pattern.compile("<ur:VersionHandle>([0-9.]+)<");
  private static final Pattern TARGET = Pattern.compile("<ur:Target>([0-9]+)<");
  private static final String CREATE = "<createCounter xmlns=\"http://counter.com\"/>";
  private static final String ADD = "<add xmlns=\"http://counter.com\"><value>1</value></add>";
  private static final String READ = "<getValue xmlns=\"http://counter.com\"/>";

  private String session;
  private String version;
  private String counter;
  private long sequence;
  private int attempt;
  private String level;
  private String body;

  /** The envelope that opens the session. */
  String opening() {
    return Envelopes.openSession(UUID.randomUUID().toString().replace("-", ""));
  }

  /** @param answer to {@link #opening} */
  void opened(String answer) throws IOException {
    session = found(SESSION, answer);
    version = found(VERSION, answer);
  }

  /** Where requests for the counter go; null before there is one. */
  public String counter() {
    return counter;
  }

  /** Uses this counter from now on. */
  void counter(String path) {
    counter = path;
  }

  /** @param answer to {@link #create} */
  void created(String answer) throws IOException {
    counter = CounterAddress.in(answer).getRawPath();
  }

  /** The envelope of the next request: a new counter. */
  String create() {
    return next("", CREATE);
  }

  /** The envelope of the next request: adds 1 to the counter. */
  public String add() {
    return next("", ADD);
  }

  /** The envelope of the next request: reads the counter. */
  String read(String wanted) {
    return next("<ur:ReadLevel>" + wanted + "</ur:ReadLevel>", READ);
  }

  private String next(String readLevel, String content) {
    sequence++;
    attempt = 0;
    level = readLevel;
    body = content;
    return again();
  }

  /** The envelope of the last request once more, as a further attempt with the same number: it is executed once. */
  public String again() {
    attempt++;
    return Envelopes.envelope(
        "<ur:ReplicationHeader><ur:Session>" + session + "</ur:Session><ur:Sequence>" + sequence + "</ur:Sequence><ur:AckBelow>"
            + sequence + "</ur:AckBelow><ur:VersionHandle>" + version + "</ur:VersionHandle><ur:Attempt>" + attempt
            + "</ur:Attempt>" + level + "</ur:ReplicationHeader>",
        body);
  }

  /** @param answer with the status 200 */
  public void answered(String answer) throws IOException {
    version = found(VERSION, answer);
  }

  /** The number of the replica to which an answer with another status than 200 redirects; 0 for none. */
  public static int target(String answer) {
    Matcher target = TARGET.matcher(answer);
    return target.find() ? Integer.parseInt(target.group(1)) : 0;
  }

  static String found(Pattern pattern, String answer) throws IOException {
    Matcher found = pattern.matcher(answer);
    if (!found.find()) {
      throw new IOException("The response lacks " + pattern + ": " + answer);
    }
    return found.group(1);
  }
}
