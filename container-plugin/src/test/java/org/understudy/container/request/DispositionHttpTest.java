package org.understudy.container.request;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.understudy.container.ServiceCluster;
import org.understudy.container.Soap;
import org.understudy.container.service.NotebookService;
import org.understudy.test.strategy.ForEachStrategy;

/** Every answer of the container to a POST says whether it is a result: a replica that forwards goes by it. */
@ForEachStrategy
class DispositionHttpTest {
  @TempDir Path directory;

  private static String disposition(URI to, int status, String type, String body) throws Exception {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(to).POST(HttpRequest.BodyPublishers.ofString(body));
    if (!type.isEmpty()) {
      request.header("Content-Type", type);
    }
    HttpResponse<String> answer =
        HttpClient.newHttpClient().send(request.build(), HttpResponse.BodyHandlers.ofString());
    assertEquals(status, answer.statusCode(), answer.body());
    return answer.headers().firstValue("Understudy-Disposition").orElse("none");
  }

  @Test
  void everyAnswerSaysWhetherItIsAResult() throws Exception {
    try (ServiceCluster site = new ServiceCluster(directory, NotebookService.class, 3, Map.of())) {
      URI replication = site.uri(site.primary(), "/replication");
      URI service = site.uri(site.primary(), site.service());
      String ns = " xmlns='urn:understudy:replication:1'";
      String open = Soap.envelope("", "<OpenSession" + ns + "><Nonce>" + "ab".repeat(16) + "</Nonce></OpenSession>");
      String xml = "text/xml";
      assertEquals("result", disposition(replication, 200, xml, open));
      boolean executes = site.hasSeveralServers();
      assertEquals(
          executes ? "result" : "NotPrimary",
          disposition(site.uri(site.backup(), "/replication"), executes ? 200 : 500, xml, open));
      assertEquals("BadRequest", disposition(replication, 500, xml, Soap.envelope("", "<OpenSession" + ns + "/>")));
      assertEquals("BadRequest", disposition(replication, 500, xml, Soap.envelope("", "<Nothing" + ns + "/>")));
      assertEquals("BadRequest", disposition(replication, 500, xml, "<a/>"));
      assertEquals("BadRequest", disposition(replication, 413, xml, " ".repeat(20_000) + open));
      assertEquals("BadRequest", disposition(replication, 415, "", open));
      String await = "<AwaitView" + ns + "><Epoch>0</Epoch><HoldSeconds>0</HoldSeconds></AwaitView>";
      assertEquals("result", disposition(replication, 200, xml, Soap.envelope("", await)));
      String lost = "<RenewSession" + ns + "><Session>" + "0".repeat(32) + "</Session></RenewSession>";
      assertEquals("SessionExpired", disposition(replication, 500, xml, Soap.envelope("", lost)));
      assertEquals("BadRequest", disposition(service, 415, "", open));
      assertEquals("BadRequest", disposition(service, 415, "text/plain", open));
      assertEquals("BadRequest", disposition(site.uri(1, "/services/Other"), 404, xml, open));
    }
  }
}
