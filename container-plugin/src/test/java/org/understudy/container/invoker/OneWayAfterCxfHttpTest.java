package org.understudy.container.invoker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.wss4j.common.WSEncryptionPart;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.understudy.container.ServiceCluster;
import org.understudy.container.Soap;
import org.understudy.container.service.AddressedNotebookService;
import org.understudy.container.service.NotebookService;
import org.understudy.container.service.SealedAddressedNotebookService;
import org.understudy.container.service.SealedNotebookService;
import org.understudy.container.service.StampedNotebookService;
import org.understudy.test.cluster.Answer;
import org.understudy.test.strategy.ForEachStrategy;

/** A one-way update gets its 202 when it is stable, also where CXF's WS-Addressing would acknowledge it before its execution. */
@ForEachStrategy
class OneWayAfterCxfHttpTest {
  private static final String TYPE = "text/xml; charset=UTF-8";
  private static final String WSA = "http://www.w3.org/2005/08/addressing";

  @TempDir private Path directory;

  private static boolean isSealed(Class<?> service) {
    return service.getSimpleName().startsWith("Sealed");
  }

  private static Answer post(ServiceCluster site, int replica, Class<?> service, String id, String operation, String text)
      throws Exception {
    String headers = Soap.messageId(id);
    List<WSEncryptionPart> signed = new ArrayList<>(List.of(new WSEncryptionPart("MessageID", WSA, "Element")));
    if (service.getSimpleName().contains("Addressed")) {
      String replyTo = operation.equals("note") ? "<a:ReplyTo><a:Address>" + WSA + "/none</a:Address></a:ReplyTo>" : "";
      headers = ("<a:x>" + headers + "<a:Action>urn:notebook:Notebook:" + operation + (operation.equals("note") ? "" : "Request")
          + "</a:Action><a:To>" + site.uri(replica, site.service()) + "</a:To>" + replyTo)
          .replace("<a:x>", "").replaceAll("<a:(Action|To|ReplyTo)>", "<a:$1 xmlns:a=\"" + WSA + "\">");
      signed.add(new WSEncryptionPart("Action", WSA, "Element"));
      signed.add(new WSEncryptionPart("To", WSA, "Element"));
    }
    String envelope = Soap.envelope(headers + StampedNotebookService.KEY, Soap.notebook(operation, text));
    byte[] bytes =
        isSealed(service)
            ? SealedMessage.of("alice", envelope, signed.toArray(WSEncryptionPart[]::new))
            : envelope.getBytes(StandardCharsets.UTF_8);
    return site.post(replica, site.service(), bytes, TYPE);
  }

  private static String text(ServiceCluster site, int replica, Class<?> service, String id) throws Exception {
    Answer answer = post(site, replica, service, id, "text", null);
    assertEquals(200, answer.status(), answer.text());
    String envelope = isSealed(service) ? SealedMessage.opened(answer.bytes()) : answer.text();
    return envelope.replaceAll("(?s).*<return>([^<]*)<.*", "$1");
  }

  @ParameterizedTest
  @ValueSource(
      classes = {
        StampedNotebookService.class, AddressedNotebookService.class, SealedNotebookService.class,
        SealedAddressedNotebookService.class
      })
  void oneWayUpdateIsAcceptedWhenItIsStable(Class<?> service) throws Exception {
    try (ServiceCluster site = new ServiceCluster(directory, service, 3, Map.of("understudy.request.deadline.ms", "1000"))) {
      int before = NotebookService.EXECUTIONS.get();
      int first = site.primary();
      Answer accepted = post(site, first, service, "urn:note:1", "note", "n");
      assertEquals(202, accepted.status(), accepted.text());
      assertEquals(0, accepted.bytes().length);
      // When it is accepted, it has been executed.
      site.assertRuns(1, NotebookService.EXECUTIONS.get() - before);
      assertEquals("n", text(site, first, service, "urn:text:1"));
      assertEquals(202, post(site, first, service, "urn:note:1", "note", "n").status());
      assertEquals(202, post(site, site.backup(), service, "urn:note:2", "note", "o").status(), "forwarded");
      site.stop(first);
      int second = site.primary();
      assertEquals(202, post(site, second, service, "urn:note:1", "note", "n").status());
      assertEquals("no", text(site, second, service, "urn:text:2"));
      site.assertRuns(2, NotebookService.EXECUTIONS.get() - before);
      Answer mismatch = post(site, second, service, "urn:note:1", "note", "other");
      assertTrue(mismatch.status() >= 400, mismatch.status() + mismatch.text());
      // Alone it can make nothing stable.
      site.stop(6 - first - second);
      assertNotEquals(202, post(site, second, service, "urn:note:3", "note", "p").status());
    }
  }
}
