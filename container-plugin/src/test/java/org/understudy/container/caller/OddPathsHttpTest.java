package org.understudy.container.caller;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.understudy.container.Soap.envelope;
import static org.understudy.container.Soap.notebook;

import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.understudy.container.ServiceCluster;
import org.understudy.container.service.NotebookService;
import org.understudy.test.Condition;

/** A path that the container takes for that of a service is that of the service: forwarded, proved, and in contracts. */
class OddPathsHttpTest {
  private static String exchange(ServiceCluster site, int replica, String line, String body) throws IOException {
    try (Socket socket = new Socket("127.0.0.1", site.port(replica))) {
      socket.setSoTimeout(60_000);
      socket.getOutputStream().write((line + " HTTP/1.1\r\nHost: here:" + site.port(replica) + "\r\nConnection: close\r\n"
          + "Content-Type: text/xml\r\nContent-Length: " + body.length() + "\r\n\r\n" + body).getBytes(StandardCharsets.UTF_8));
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {
    "//app/services/NotebookService", "/app//services/NotebookService", "/app/services//NotebookService", "/app///services/NotebookService",
    "/app/./services/NotebookService", "/app/%2e/services/NotebookService", "/app/x/../services/NotebookService",
    "/app/services/%4eotebookService", "/%61pp/services/NotebookService", "/app;v=1/services/NotebookService",
    "/app/services;v=1/NotebookService", "/app/services/NotebookService;v=1", "/app/services/NotebookService;v=1?a=b",
    "/app/services;/NotebookService/"
  })
  void anOddPathIsForwarded(String path) throws Exception {
    try (ServiceCluster site = ServiceCluster.shared(NotebookService.class, 3, Map.of())) {
      int backup = site.primary() == 1 ? 2 : 1;
      String answer = exchange(site, backup, "POST " + path, envelope("", notebook("append", "x")));
      assertTrue(answer.startsWith("HTTP/1.1 200"), answer);
    }
  }

  /** The container dispatches a request again whose body has arrived late, or which has waited. */
  @ParameterizedTest
  @ValueSource(strings = {
    "//app/services/NotebookService", "///app//services/NotebookService", "/app/%2e/services/NotebookService",
    "/x/../app/services/NotebookService", "/%61pp/services/NotebookService", "//%61pp;v=1/services/NotebookService;v=1?a=b",
    "/x/..//app/services/NotebookService"
  })
  void anOddPathIsDispatchedAgain(String path) throws Exception {
    try (ServiceCluster site = ServiceCluster.shared(NotebookService.class, 3, Map.of())) {
      int primary = site.primary();
      String body = envelope("", notebook("append", "x"));
      try (Socket socket = new Socket("127.0.0.1", site.port(primary))) {
        socket.setSoTimeout(60_000);
        OutputStream out = socket.getOutputStream();
        out.write(("POST " + path + " HTTP/1.1\r\nHost: here\r\nConnection: close\r\nContent-Type: text/xml\r\nContent-Length: "
            + body.length() + "\r\n\r\n").getBytes(StandardCharsets.UTF_8));
        Condition.await("the request whose body is missing", () -> !site.health(primary, "live").body().contains("\"heldBytes\":0,"));
        out.write(body.getBytes(StandardCharsets.UTF_8));
        String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertTrue(answer.startsWith("HTTP/1.1 200"), answer);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"/app//services/NotebookService", "//app/services/./NotebookService", "/app/services/%4eotebookService;v=1"})
  void aContractNamesThePathOfTheService(String path) throws Exception {
    try (ServiceCluster site = ServiceCluster.shared(NotebookService.class, 3, Map.of())) {
      String answer = exchange(site, 1, "GET " + path + "?wsdl", "");
      String address = "\"http://here:" + site.port(1) + "/app/services/NotebookService\"";
      assertTrue(answer.startsWith("HTTP/1.1 200") && answer.contains(address), answer);
    }
  }

  @Test
  void theContractOfSessionsNamesItsPath() throws Exception {
    try (ServiceCluster site = ServiceCluster.shared(NotebookService.class, 3, Map.of())) {
      String answer = exchange(site, 1, "GET //app//replication;v=1?wsdl", "");
      String application = "http://here:" + site.port(1) + "/app/";
      assertTrue(answer.contains("location=\"" + application + "replication\""), answer);
      assertTrue(answer.contains("location=\"" + application + "services/NotebookService\""), answer);
      assertFalse(answer.contains(";v=1"), answer);
    }
  }

  @Test
  void aPathIsEncodedSoThatTheContainerDecodesIt() {
    assertEquals("/a/%3B%25%5B%C3%A4%20%3F%23", RequestTarget.encoded("/a/;%[\u00e4 ?#"));
    assertEquals("/a-b_c.d~e/F:9@!$&'()*+,=", RequestTarget.encoded("/a-b_c.d~e/F:9@!$&'()*+,="));
  }
}
