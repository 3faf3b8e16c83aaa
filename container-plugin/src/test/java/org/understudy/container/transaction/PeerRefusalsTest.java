package org.understudy.container.transaction;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.understudy.test.LogRecorder;

/** A wrong configuration of groups is reported, and nothing else. */
class PeerRefusalsTest {
  private static final URI ADDRESS = URI.create("http://127.0.0.1:8101/");

  private final PeerRefusals refusals = new PeerRefusals();
  private final LogRecorder log = LogRecorder.of(PeerRefusals.class);

  @AfterEach
  void end() {
    log.close();
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
    assertEquals(2, log.lines().size(), log.lines()::toString);
    String first = "The group shop refuses messages about transactions at " + ADDRESS + ": The message has no true proof. Transactions";
    assertTrue(log.lines().get(0).startsWith(first), log.lines().get(0));
    assertTrue(log.lines().get(1).contains("x".repeat(300) + "… "), log.lines().get(1));
  }

  @Test
  void aReasonIsOneLine() {
    refused("shop", "BadRequest", "No.\n2026 SEVERE: of another \u0085 line");
    assertTrue(log.lines().get(0).contains("No.?2026 SEVERE: of another ? line"), log.lines()::toString);
  }

  @Test
  void whatARepetitionCanChangeIsNotReported() {
    refused("shop", "NotPrimary", "This replica is a backup.");
    refusals.answered("shop", ADDRESS, "<html>".getBytes(StandardCharsets.UTF_8));
    refusals.answered("shop", ADDRESS, new byte[0]);
    assertEquals(List.of(), log.lines());
  }
}
