package org.understudy.container.attachment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.apache.cxf.Bus;
import org.apache.cxf.jaxws.EndpointImpl;
import org.apache.cxf.tools.common.ToolContext;
import org.apache.cxf.tools.wsdlto.WSDLToJava;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.understudy.container.service.ParcelService;
import org.understudy.test.cluster.TestCluster;
import org.understudy.test.network.NoInternet;

/** The contract of an endpoint that the application publishes. */
class AttachedContractHttpTest {
  private static final Pattern LOCATION = Pattern.compile("(?:schemaLocation|\\blocation)=\"([^\"]+)\"");

  @TempDir Path directory;

  private static void publish(Bus bus) {
    EndpointImpl endpoint = new EndpointImpl(bus, new ParcelService());
    endpoint.getFeatures().add(new FaultTolerantFeature());
    endpoint.publish("/parcels");
  }

  @Test
  void schemasThatItImportsFromTheInternetAreBundled() throws Exception {
    Path servers = Files.createDirectory(directory.resolve("servers"));
    try (NoInternet network = new NoInternet();
        TestCluster site = new TestCluster(servers, new OwnServlet(AttachedContractHttpTest::publish), 1, Map.of())) {
      URI wsdl = URI.create(site.uri(1, "/soap/parcels") + "?wsdl");
      String text =
          HttpClient.newHttpClient()
              .send(HttpRequest.newBuilder(wsdl).build(), HttpResponse.BodyHandlers.ofString())
              .body();
      List<String> locations = LOCATION.matcher(text).results().map((MatchResult found) -> found.group(1)).toList();
      assertFalse(locations.isEmpty(), text);
      for (String location : locations) {
        assertTrue(location.startsWith(site.uri(1, "/soap/parcels").toString()), location);
      }
      new WSDLToJava(new String[] {"-d", Files.createDirectory(directory.resolve("client")).toString(), wsdl.toString()})
          .run(new ToolContext());
      assertEquals(List.of(), network.elsewhere());
    }
  }
}
