package org.understudy.container.request;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.understudy.container.ServiceCluster;
import org.understudy.container.Soap;
import org.understudy.test.cluster.Answer;

/** Checks what a replica answers to operations of standards that it cannot serve. */
public final class UnavailableAnswers {
  private static final String R = "http://docs.oasis-open.org/wsrf/r-2";

  private UnavailableAnswers() {}

  /**
   * Calls a backup, which points to the primary.
   *
   * @param operations path, body, and namespace and name of the declared fault; empty when none is declared
   */
  public static void checkBackup(ServiceCluster site, String soap, String[][] operations) {
    String session = site.openSession();
    int sequence = 0;
    for (String[] operation : operations) {
      String headers = Soap.header(session, ++sequence, 1) + Soap.messageId("urn:asked:" + sequence);
      String type = soap.equals(Soap.SOAP11) ? "text/xml" : "application/soap+xml";
      byte[] request = Soap.envelope(soap, headers, operation[1]).getBytes(StandardCharsets.UTF_8);
      Answer answer = site.post(site.backup(), operation[0], request, type);
      check(answer, operation);
      assertEquals("NotPrimary", answer.between("<ur:Code>", "</ur:Code>"));
      assertTrue(answer.text().contains("role=\"primary\""), answer.text());
      String action = operation[2].startsWith("http://docs.oasis-open.org/wsn/") ? "http://docs.oasis-open.org/wsn/fault"
          : operation[2].equals(R) ? "http://docs.oasis-open.org/wsrf/fault"
          : "http://www.w3.org/2005/08/addressing/soap/fault";
      assertTrue(answer.text().contains(">" + action + "</wsa:Action>"), answer.text());
    }
  }

  /** The declared fault stands first and is complete, ours behind it. */
  static void check(Answer answer, String[] operation) {
    String text = answer.text();
    assertEquals(500, answer.status(), text);
    assertTrue(text.matches("(?s).*<(faultcode|soap:Value)>soap:(Server|Receiver)<.*"), text);
    assertEquals("no", answer.between("<ur:Executed>", "</ur:Executed>"));
    String detail = text.substring(text.toLowerCase(Locale.ROOT).indexOf("detail>") + "detail>".length());
    if (operation[3].isEmpty()) {
      assertTrue(detail.startsWith("<ur:ReplicationFault"), text);
      return;
    }
    String declared = "<(\\S+):" + operation[3] + " xmlns:\\1=\"" + operation[2] + "\".*";
    assertTrue(detail.matches("(?s)" + declared), text);
    String fault = detail.substring(0, detail.indexOf("<ur:ReplicationFault"));
    assertTrue(fault.matches("(?s).*:Timestamp>\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d{3})?Z</.*"), text);
    assertTrue(fault.matches("(?s).*:Description xml:lang=\"en\">[^<]+</.*"), text);
    assertTrue(fault.endsWith(":" + operation[3] + ">"), text);
  }
}
