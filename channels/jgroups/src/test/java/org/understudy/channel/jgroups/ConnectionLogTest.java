package org.understudy.channel.jgroups;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.EOFException;
import java.net.SocketException;
import java.util.List;
import java.util.logging.Level;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import org.jgroups.logging.JDKLogImpl;
import org.jgroups.logging.Log;
import org.junit.jupiter.api.Test;
import org.understudy.test.LogRecorder;

/** What JGroups 5.5.7 reports of connections, at the levels at which it reports it. */
class ConnectionLogTest {
  private final Log log = ConnectionLog.of(new JDKLogImpl(ConnectionLogTest.class));

  @Test
  void theEndOfAConnectionIsNoError() {
    Exception reset = new SSLException("Connection reset", new SocketException("Connection reset"));
    Exception end = new SSLHandshakeException("Remote host terminated the handshake");
    end.initCause(new EOFException());
    try (LogRecorder recorded = LogRecorder.of(Level.WARNING, ConnectionLogTest.class.getName())) {
      log.error("%s: failed sending graceful close to %s: %s", "one", "two", "Broken pipe");
      log.error("failed sending data to %s: %s", "two", reset);
      log.warn("one: failed handling message", reset);
      log.warn("one: failed handling message", end);
      assertEquals(List.of(), recorded.lines());
    }
    try (LogRecorder recorded = LogRecorder.of(Level.FINE, ConnectionLogTest.class.getName())) {
      log.error("%s: failed sending graceful close to %s: %s", "one", "two", "Broken pipe");
      assertEquals(List.of("one: failed sending graceful close to two: Broken pipe"), recorded.lines());
    }
  }

  @Test
  void anotherFailureIsReported() {
    try (LogRecorder recorded = LogRecorder.of(Level.WARNING, ConnectionLogTest.class.getName())) {
      log.error("%s: exception setting send buffer to %d bytes: %s", "one", 1, "why");
      log.warn("one: failed handling message", new SSLHandshakeException("Received fatal alert: bad_certificate"));
      assertEquals(2, recorded.lines().size());
    }
  }
}
