package org.understudy.container.forwarding.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.apache.catalina.Context;
import org.apache.catalina.core.StandardHost;
import org.apache.catalina.startup.Tomcat;
import org.apache.catalina.valves.ErrorReportValve;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.understudy.soap.envelope.UnavailablePage;

/** The pages of the Tomcat that is installed, and those of proxies. */
class UnavailablePageTest {
  private final Tomcat tomcat = new Tomcat();

  @AfterEach
  void stop() throws Exception {
    tomcat.stop();
    tomcat.destroy();
  }

  @ParameterizedTest
  @CsvSource({"en, true", "fr, true", "ja, true", "de, false"})
  void tomcatsPageIsRecognisedInEveryLanguageAndWithoutDetails(String language, boolean details, @TempDir Path directory)
      throws Exception {
    tomcat.setBaseDir(directory.toString());
    tomcat.setPort(0);
    ErrorReportValve valve = new ErrorReportValve();
    valve.setShowReport(details);
    valve.setShowServerInfo(details);
    ((StandardHost) tomcat.getHost()).setErrorReportValveClass("");
    tomcat.getHost().getPipeline().addValve(valve);
    Context context = tomcat.addContext("", directory.toString());
    Tomcat.addServlet(context, "starting", new HttpServlet() {
      private static final long serialVersionUID = 1L;

      @Override
      protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        response.sendError(HttpServletResponse.SC_SERVICE_UNAVAILABLE);
      }
    }).addMapping("/");
    tomcat.start();
    URI uri = URI.create("http://127.0.0.1:" + tomcat.getConnector().getLocalPort() + "/");
    HttpRequest request = HttpRequest.newBuilder(uri).header("Accept-Language", language).build();
    HttpResponse<byte[]> response = HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofByteArray());
    assertEquals(503, response.statusCode());
    assertTrue(UnavailablePage.isOfTomcat(response.body()), () -> new String(response.body(), StandardCharsets.UTF_8));
  }

  @Test
  void connectorThatIsBeingStoppedSendsNoContent() {
    assertTrue(UnavailablePage.isOfTomcat(new byte[0]));
  }

  @ParameterizedTest
  @ValueSource(strings = {
    // HAProxy 2.6, nginx 1.22, Apache 2.4, Envoy
    "<html><body><h1>503 Service Unavailable</h1>\nNo server is available to handle this request.\n</body></html>\n",
    "<html>\r\n<head><title>503 Service Temporarily Unavailable</title></head>\r\n<body>",
    "<!DOCTYPE HTML PUBLIC \"-//IETF//DTD HTML 2.0//EN\">\n<html><head>\n<title>503 Service Unavailable</title>\n</head><body>",
    "upstream connect error or disconnect/reset before headers. reset reason: connection termination"
  })
  void pagesOfProxiesAreNot(String page) {
    assertFalse(UnavailablePage.isOfTomcat(page.getBytes(StandardCharsets.UTF_8)));
  }
}
