package org.understudy.counter;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import jakarta.xml.ws.BindingProvider;
import jakarta.xml.ws.Service;
import java.net.URI;
import java.net.URL;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.xml.namespace.QName;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.understudy.test.cluster.TestCluster;
import org.understudy.test.cluster.WebArchive;
import org.understudy.test.strategy.ForEachStrategy;
import org.understudy.test.strategy.PerStrategy;
import org.understudy.test.strategy.Strategies;

/** The web archive as it is dropped into two Tomcats, and clients that know only its contract. */
@ForEachStrategy
class CounterWarIT {
  private static final HttpClient HTTP = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  private static final int REPLICAS = 2;

  @TempDir static Path directory;

  @RegisterExtension
  static final PerStrategy<TestCluster> CLUSTER =
      new PerStrategy<>(CounterWarIT::deploy, cluster -> WebArchive.undeploy(cluster, REPLICAS));

  private String address;

  private static TestCluster deploy() throws Exception {
    WebArchive archive = new WebArchive("/counter", Path.of("target/counter.war"));
    return new TestCluster(Files.createDirectories(directory.resolve(Strategies.current())), archive, REPLICAS, Map.of());
  }

  @BeforeEach
  void select() throws Exception {
    address = CLUSTER.get().uri(CLUSTER.get().nextServer(), "").toString();
  }

  private CounterPortType client(String url) throws Exception {
    Service service = Service.create(
        new URL(address + "/services/CounterService?wsdl"), new QName("http://counter.com", "CounterService"));
    CounterPortType port = service.getPort(CounterPortType.class);
    ((BindingProvider) port).getRequestContext().put(BindingProvider.ENDPOINT_ADDRESS_PROPERTY, url);
    return port;
  }

  private static String post(String url, String namespace, String headers, String body) throws Exception {
    String envelope = "<e:Envelope xmlns:e=\"" + namespace + "\"><e:Header>" + headers + "</e:Header><e:Body>" + body
        + "</e:Body></e:Envelope>";
    HttpRequest request = HttpRequest.newBuilder(URI.create(url))
        .header("Content-Type", namespace.contains("2003") ? "application/soap+xml" : "text/xml")
        .POST(HttpRequest.BodyPublishers.ofString(envelope)).build();
    return HTTP.send(request, HttpResponse.BodyHandlers.ofString()).body();
  }

  private static String get(String url) throws Exception {
    HttpResponse<String> answer =
        HTTP.send(HttpRequest.newBuilder(URI.create(url)).build(), HttpResponse.BodyHandlers.ofString());
    assertEquals(200, answer.statusCode(), url);
    return answer.body();
  }

  private static String between(String text, String begin, String end) {
    int from = text.indexOf(begin) + begin.length();
    assertTrue(from >= begin.length(), text);
    return text.substring(from, text.indexOf(end, from));
  }

  private String create() throws Exception {
    String answer = post(address + "/services/CounterService", "http://schemas.xmlsoap.org/soap/envelope/", "",
        "<createCounter xmlns=\"http://counter.com\"/>");
    return between(answer, "Address>", "<");
  }

  @Test
  void aGeneratedClientCounts() throws Exception {
    CounterPortType counter = client(create());
    assertEquals(3, counter.add(3));
    assertEquals(5, counter.add(2));
    assertEquals(5, counter.getValue());
    UnknownCounter unknown = assertThrows(UnknownCounter.class,
        () -> client(address + "/services/CounterService/" + "0".repeat(32)).add(1));
    assertTrue(unknown.getFaultInfo().getMessage().contains("0".repeat(32)));
    assertThrows(UnknownCounter.class, () -> client(address + "/services/CounterService").add(1));
  }

  @Test
  void referenceParameterIsEquivalentToTheAddress() throws Exception {
    for (String namespace : new String[] {
      "http://schemas.xmlsoap.org/soap/envelope/", "http://www.w3.org/2003/05/soap-envelope"
    }) {
      String answer = post(address + "/services/CounterService", namespace, "",
          "<createCounter xmlns=\"http://counter.com\"><stateBytes>1000</stateBytes></createCounter>");
      String id = between(answer, "Address>", "<").replaceFirst(".*/", "");
      assertEquals(id, between(answer.replaceAll("ResourceId[^>]*>", "ResourceId>"), "ResourceId>", "<"));
      String parameter = "<ResourceId xmlns=\"urn:understudy:replication:1\">" + id + "</ResourceId>";
      String total = post(address + "/services/CounterService", namespace, parameter,
          "<add xmlns=\"http://counter.com\"><value>7</value></add>");
      assertTrue(total.contains(">7<"), total);
      assertTrue(total.contains(namespace), total);
    }
  }

  @Test
  void theContractAndAllItImportsAreThere() throws Exception {
    String wsdl = get(address + "/services/CounterService?wsdl");
    assertTrue(wsdl.contains("addResponse"));
    Matcher ports = Pattern.compile(":address location=\"([^\"]*)\"").matcher(wsdl);
    while (ports.find()) {
      assertEquals(address + "/services/CounterService", ports.group(1));
    }
    Matcher imports = Pattern.compile("(?:schemaLocation|location)=\"(http[^\"]*[?][^\"]*)\"").matcher(wsdl);
    int count = 0;
    while (imports.find()) {
      assertTrue(imports.group(1).startsWith(address), imports.group(1));
      assertTrue(get(imports.group(1).replace("&amp;", "&")).contains("schema"));
      count++;
    }
    assertTrue(count > 0, "nothing is imported: " + wsdl);
    assertTrue(get(address + "/replication?wsdl").contains("OpenSession"));
    assertTrue(get(address + "/replication?xsd=replication.xsd").contains("ReplicationHeader"));
  }

  @Test
  void invalidBodyIsASenderFaultWithoutAStackTrace() throws Exception {
    String answer = post(create(), "http://schemas.xmlsoap.org/soap/envelope/", "",
        "<add xmlns=\"http://counter.com\"><value>many</value></add>");
    assertTrue(answer.contains("Fault"), answer);
    assertFalse(answer.contains("\tat ") || answer.contains("org.apache.cxf"), answer);
  }
}
