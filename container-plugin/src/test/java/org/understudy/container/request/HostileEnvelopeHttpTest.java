package org.understudy.container.request;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.understudy.container.Soap.envelope;
import static org.understudy.container.Soap.header;
import static org.understudy.container.Soap.notebook;

import java.util.Map;
import java.util.logging.Level;
import java.util.logging.SimpleFormatter;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.understudy.container.ServiceCluster;
import org.understudy.container.Soap;
import org.understudy.container.interceptor.FaultTexts;
import org.understudy.container.service.NotebookService;
import org.understudy.test.LogRecorder;
import org.understudy.test.cluster.Answer;

/** What hostile envelopes find out, what they have logged, and that none is executed. */
class HostileEnvelopeHttpTest {
  private static final String NIL = " xmlns:i=\"http://www.w3.org/2001/XMLSchema-instance\" i:nil=\"true\"";
  private static ServiceCluster site;

  @BeforeAll
  static void start() throws Exception {
    site = ServiceCluster.shared(NotebookService.class, 1, Map.of());
  }

  @AfterAll
  static void stop() throws Exception {
    site.close();
  }

  private static Answer fault(String envelope) {
    int before = NotebookService.EXECUTIONS.get();
    Answer answer = site.call(1, envelope);
    assertEquals(500, answer.status(), answer.text());
    assertEquals(before, NotebookService.EXECUTIONS.get(), answer.text());
    tellsNothing(answer);
    return answer;
  }

  private static void tellsNothing(Answer answer) {
    for (String inside : new String[] {"Exception", "java.", "javax.", "jakarta.", "com.ctc", "org.apache", "\tat ", "For input"}) {
      assertFalse(answer.text().contains(inside), answer.text());
    }
    assertTrue(answer.text().length() < 4_096, "A fault of " + answer.text().length() + " characters.");
  }

  @Test
  void undeclaredEntitiesAreFaults() {
    fault(envelope("", notebook("append", "&nobody;")));
    fault(envelope("", notebook("append", "a&nobody;b")));
    fault(envelope("", "<n:append xmlns:n=\"urn:notebook\"><text a=\"&nobody;\">x</text></n:append>"));
    fault(envelope(header("<Epoch>&nobody;</Epoch>"), notebook("append", "x")));
    fault(envelope(header("<Epoch>1&nobody;</Epoch>"), notebook("append", "x")));
    fault(envelope(Soap.messageId("&nobody;"), notebook("append", "x")));
  }

  @Test
  void numbersThatOverflowAreFaults() {
    for (String number : new String[] {"9223372036854775808", "281474976710657", "99999999999999999999999", "1e3", "0x1"}) {
      fault(envelope(header("<Epoch>" + number + "</Epoch>"), notebook("append", "x")));
      fault(envelope(header("<Attempt>" + number.replace("281474976710657", "x") + "</Attempt>"), notebook("append", "x")));
      fault(envelope(header("<VersionHandle>" + number + ".1</VersionHandle>"), notebook("append", "x")));
      fault(envelope(header("<VersionHandle>1." + number + "</VersionHandle>"), notebook("append", "x")));
    }
  }

  @Test
  void aNilOperationIsOneWithoutContent() {
    Answer read = site.call(1, envelope("", "<n:text xmlns:n=\"urn:notebook\"" + NIL + "/>"));
    assertEquals(200, read.status(), read.text());
    Answer update = site.call(1, envelope("", "<n:clear xmlns:n=\"urn:notebook\"" + NIL + "/>"));
    assertEquals(200, update.status(), update.text());
  }

  @Test
  void exceptionsOfTheServiceAreNotRevealed() {
    Answer answer = site.call(1, envelope("", notebook("stumble", "x")));
    assertEquals(500, answer.status(), answer.text());
    assertTrue(answer.text().contains(FaultTexts.FAILED), answer.text());
    assertFalse(answer.text().contains("stumbled"), answer.text());
    tellsNothing(answer);
    // What it declares is.
    assertTrue(site.call(1, envelope("", notebook("refuse", "x"))).text().contains("No &lt;more"));
  }

  @Test
  void whatDoesNotFitTheContractIsSaidInShort() {
    String much = "x".repeat(100_000);
    fault(envelope("", "<n:append xmlns:n=\"urn:notebook\"><" + much + "/></n:append>"));
    fault(envelope("", "<n:append xmlns:n=\"urn:notebook\"><t xmlns=\"urn:" + much + "\"/></n:append>"));
    fault(envelope("", "<n:" + much + " xmlns:n=\"urn:notebook\"/>"));
    fault(envelope("", "<n:append xmlns:n=\"urn:" + much + "\"/>"));
    fault(envelope("<o xmlns=\"urn:" + much + "\" e:mustUnderstand=\"1\"/>", notebook("append", "x")));
  }

  @Test
  void loggedTextIsShortAndCannotForgeLines() {
    String all;
    try (LogRecorder log = LogRecorder.of(Level.INFO, "org.understudy", "org.apache.cxf")) {
      String forged = "&#13;&#10;2026-11-21 SEVERE forged line " + "y".repeat(200_000);
      for (int i = 0; i < 20; i++) {
        fault(envelope("", "<n:append xmlns:n=\"urn:notebook\"><t xmlns=\"urn:" + forged + i + "\"/></n:append>"));
        fault(envelope("", "<n:append xmlns:n=\"urn:" + forged + "\"/>"));
        fault(envelope("<o xmlns=\"urn:" + forged + "\" e:mustUnderstand=\"1\"/>", notebook("append", "x")));
        site.call(1, envelope("", notebook("stumble", "x")));
      }
      all = log.records().stream().map(new SimpleFormatter()::format).collect(Collectors.joining());
    }
    assertTrue(all.length() < 16_384, all.length() + " characters are logged for 80 requests.");
    assertTrue(all.lines().noneMatch(line -> line.startsWith("2026-11-21 SEVERE")), all);
  }
}
