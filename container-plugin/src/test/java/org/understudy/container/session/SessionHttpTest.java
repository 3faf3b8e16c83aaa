package org.understudy.container.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.understudy.container.Soap.envelope;
import static org.understudy.container.Soap.header;
import static org.understudy.container.Soap.notebook;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.understudy.container.ServiceCluster;
import org.understudy.container.Soap;
import org.understudy.container.service.NotebookService;
import org.understudy.test.cluster.Answer;
import org.understudy.test.strategy.ForEachStrategy;

/** The operations of docs/wire.md, at the service's address and at their own. */
@ForEachStrategy
class SessionHttpTest {
  private static final String NONCE = "00112233445566778899aabbccddeeff";
  @TempDir Path directory;

  private static byte[] message(String soap, String operation, String fields) {
    return envelope(soap, "", "<" + operation + " xmlns=\"urn:understudy:replication:1\">" + fields + "</" + operation + ">")
        .getBytes(StandardCharsets.UTF_8);
  }

  private static Answer ask(ServiceCluster site, int replica, String operation, String fields) {
    return site.post(replica, "/replication", message(Soap.SOAP11, operation, fields), "text/xml");
  }

  @Test
  void sessionsOutliveThePrimaryAndBelongToTheirNonce() throws Exception {
    try (ServiceCluster site = new ServiceCluster(directory, NotebookService.class, 3, Map.of())) {
      int first = site.primary();
      int backup = site.backup();
      Answer opened = ask(site, first, "OpenSession", "<Nonce>" + NONCE + "</Nonce>");
      String session = opened.between("<ur:Session>", "</ur:Session>");
      assertEquals(32, session.length());
      assertNotEquals(NONCE, session);
      assertEquals("600", opened.between("<ur:LeaseSeconds>", "</ur:LeaseSeconds>"));
      assertTrue(opened.between("<ur:View>", "</ur:View>").contains("<ur:Replica id=\"" + first + "\" role=\"primary\""
          + " serves=\"update session linearizable-read session-read local-read\">"));

      // The same again, at the service's address, by SOAPAction and by SOAP 1.2's action.
      Answer again = site.post(first, site.service(), message(Soap.SOAP11, "OpenSession", "<Nonce>" + NONCE + "</Nonce>"),
          "text/xml", "SOAPAction", "\"urn:understudy:replication:1/OpenSession\"");
      assertEquals(session, again.between("<ur:Session>", "</ur:Session>"));
      Answer modern = site.post(first, site.service(), message(Soap.SOAP12, "OpenSession", "<Nonce>" + NONCE + "</Nonce>"),
          "application/soap+xml; action=\"urn:understudy:replication:1/OpenSession\"");
      assertEquals(session, modern.between("<ur:Session>", "</ur:Session>"));
      assertTrue(modern.text().contains(Soap.SOAP12));

      Answer elsewhere = ask(site, backup, "OpenSession", "<Nonce>" + NONCE + "</Nonce>");
      if (site.hasSeveralServers()) {
        assertEquals(session, elsewhere.between("<ur:Session>", "</ur:Session>"));
      } else {
        assertEquals("NotPrimary", elsewhere.between("<ur:Code>", "</ur:Code>"));
      }
      for (String wrong : new String[] {"", "<Nonce/>", "<Nonce>short</Nonce>"}) {
        assertEquals("BadRequest", ask(site, first, "OpenSession", wrong).between("<ur:Code>", "</ur:Code>"));
      }
      assertEquals("BadRequest", ask(site, first, "Destroy", "").between("<ur:Code>", "</ur:Code>"));

      Answer result = site.call(first, envelope(header(session, 1, 1), notebook("append", "a")));
      site.stop(first);
      int second = site.primary();
      assertEquals(session, ask(site, second, "OpenSession", "<Nonce>" + NONCE + "</Nonce>").between("<ur:Session>", "</ur:Session>"));
      Answer replayed = site.call(second, envelope(header(session, 1, 2), notebook("append", "a")));
      assertEquals(result.body(), replayed.body());
      assertEquals(200, ask(site, second, "RenewSession", "<Session>" + session + "</Session>").status());
      assertEquals(200, ask(site, second, "CloseSession", "<Session>" + session + "</Session>").status());
      Answer expired = site.call(second, envelope(header(session, 2, 1), notebook("append", "b")));
      assertEquals("SessionExpired", expired.between("<ur:Code>", "</ur:Code>"));
      assertTrue(expired.text().contains("<faultcode>soap:Client</faultcode>"));
    }
  }

  @Test
  void everyHeldPollIsAnsweredWhenTheViewChanges() throws Exception {
    try (ServiceCluster site = new ServiceCluster(directory, NotebookService.class, 3, Map.of("understudy.held.polls", "16000"))) {
      int first = site.primary();
      int backup = site.backup();
      String epoch = site.openSessionView();
      byte[] poll = message(Soap.SOAP11, "AwaitView", "<Epoch>" + epoch + "</Epoch><HoldSeconds>60</HoldSeconds>");
      List<CompletableFuture<Answer>> held = new ArrayList<>();
      for (int i = 0; i < 200; i++) {
        held.add(site.postLater(backup, "/replication", poll, "text/xml"));
      }
      Answer invalid = site.post(backup, "/replication",
          message(Soap.SOAP11, "AwaitView", "<Epoch>4611686018427387904</Epoch><HoldSeconds>60</HoldSeconds>"), "text/xml");
      assertEquals("BadRequest", invalid.between("<ur:Code>", "</ur:Code>"));
      Answer large = site.post(backup, site.service(),
          message(Soap.SOAP11, "AwaitView", "<Epoch>0</Epoch><HoldSeconds>60</HoldSeconds>" + " ".repeat(20_000)),
          "text/xml", "SOAPAction", "urn:understudy:replication:1/AwaitView");
      assertEquals("BadRequest", large.between("<ur:Code>", "</ur:Code>"));
      Answer known = site.post(backup, "/replication",
          message(Soap.SOAP11, "AwaitView", "<Epoch>0</Epoch><HoldSeconds>60</HoldSeconds>"), "text/xml");
      assertEquals(epoch, known.between("<ur:Epoch>", "</ur:Epoch>"));
      site.stop(first);
      for (CompletableFuture<Answer> one : held) {
        Answer answer = one.join();
        assertEquals(200, answer.status());
        assertTrue(Long.parseLong(answer.between("<ur:Epoch>", "</ur:Epoch>")) > Long.parseLong(epoch), answer.text());
      }
    }
  }
}
