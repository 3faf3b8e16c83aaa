package org.understudy.container.transaction;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A wrong configuration of groups is reported, and nothing else. */
class PeerRefusalsTest {
  private static final URI ADDRESS = URI.create("http://127.0.0.1:8101/");

  private final PeerRefusals refusals = new PeerRefusals();
  private final List<String> lines = new ArrayList<>();
  private final Logger logger = Logger.getLogger(PeerRefusals.class.getName());
  private final Handler handler =
      new Handler() {
        @Override
        public void publish(LogRecord entry) {
          lines.add(new SimpleFormatter().formatMessage(entry));
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
      };

  @BeforeEach
  void listen() {
    logger.addHandler(handler);
    // Other tests of the same JVM may have silenced the root logger.
    logger.setLevel(Level.ALL);
    logger.setUseParentHandlers(false);
  }

  @AfterEach
  void end() {
    logger.removeHandler(handler);
    logger.setLevel(null);
    logger.setUseParentHandlers(true);
  }

  private void refused(String group, String code, String reason) {
    String fault =
        "<soap:Envelope xmlns:soap=\"http://schemas.xmlsoap.org/soap/envelope/\"><soap:Header><ur:ReplicationHeader "
            + "xmlns:ur=\"urn:understudy:replication:1\"><ur:Status>refused</ur:Status></ur:ReplicationHeader></soap:Header><soap:Body>"
            + "<soap:Fault><faultcode>soap:Client</faultcode><faultstring>" + reason + "</faultstring><detail><ur:ReplicationFault "
            + "xmlns:ur=\"urn:understudy:replication:1\"><ur:Code>" + code + "</ur:Code><ur:Executed>no</ur:Executed>"
            + "</ur:ReplicationFault></detail></soap:Fault></soap:Body></soap:Envelope>";
    refusals.answered(group, ADDRESS, fault.getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void eachGroupThatRefusesIsReportedOnce() {
    refused("shop", "BadRequest", "The message has no true proof.");
    refused("shop", "BadRequest", "The message has no true proof.");
    refused("bank", "BadRequest", "x".repeat(1_000) + "\n");
    assertEquals(2, lines.size(), lines::toString);
    String first = "The group shop refuses messages about transactions at " + ADDRESS + ": The message has no true proof. Transactions";
    assertTrue(lines.get(0).startsWith(first), lines.get(0));
    assertTrue(lines.get(1).contains("x".repeat(300) + "… "), lines.get(1));
  }

  @Test
  void aReasonIsOneLine() {
    refused("shop", "BadRequest", "No.\n2026 SEVERE: of another \u0085 line");
    assertTrue(lines.get(0).contains("No.?2026 SEVERE: of another ? line"), lines::toString);
  }

  @Test
  void whatARepetitionCanChangeIsNotReported() {
    refused("shop", "NotPrimary", "This replica is a backup.");
    refusals.answered("shop", ADDRESS, "<html>".getBytes(StandardCharsets.UTF_8));
    refusals.answered("shop", ADDRESS, new byte[0]);
    assertEquals(List.of(), lines);
  }
}
