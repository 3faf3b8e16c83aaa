package org.understudy.durability.compiler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import org.apache.catalina.Context;
import org.apache.catalina.Wrapper;
import org.apache.catalina.startup.Tomcat;
import org.apache.cxf.jaxws.JaxWsServerFactoryBean;
import org.apache.cxf.transport.servlet.CXFNonSpringServlet;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.understudy.durability.compiler.shop.LedgerState;
import org.understudy.durability.compiler.shop.Shop;
import org.understudy.durability.compiler.shop.StockState;
import org.understudy.durability.compiler.shop.VisitorSet;

/** Clients cannot tell the generated services from the unmodified one: same WSDL, results and faults, whatever the mapping. */
class SameContractTest {
  @TempDir private static Path directory;

  private static final Tomcat TOMCAT = new Tomcat();
  private static final CXFNonSpringServlet CXF = new CXFNonSpringServlet();
  private static final HttpClient CLIENT = HttpClient.newHttpClient();

  @BeforeAll
  static void startTomcat() throws Exception {
    TOMCAT.setBaseDir(directory.resolve("tomcat").toString());
    TOMCAT.setPort(0);
    TOMCAT.getConnector();
    Context context = TOMCAT.addContext("", null);
    Wrapper servlet = Tomcat.addServlet(context, "cxf", CXF);
    servlet.setLoadOnStartup(1);
    servlet.addMapping("/*");
    TOMCAT.start();
  }

  @AfterAll
  static void stop() throws Exception {
    TOMCAT.stop();
    TOMCAT.destroy();
  }

  private static void publish(String path, Class<?> type, Object service) {
    JaxWsServerFactoryBean server = new JaxWsServerFactoryBean();
    server.setBus(CXF.getBus());
    server.setServiceClass(type);
    server.setServiceBean(service);
    server.setAddress("/" + path);
    server.create();
  }

  private static String answer(String path, HttpRequest.Builder request) throws Exception {
    HttpResponse<String> response = CLIENT.send(request.build(), HttpResponse.BodyHandlers.ofString());
    return response.statusCode() + " " + response.body().replace("/" + path, "/shop");
  }

  private static HttpRequest.Builder to(String path) {
    return HttpRequest.newBuilder(URI.create("http://localhost:" + TOMCAT.getConnector().getLocalPort() + "/" + path));
  }

  private static String wsdl(String path) throws Exception {
    return answer(path, to(path + "?wsdl"));
  }

  private static String call(String path, String content) throws Exception {
    String envelope = "<e:Envelope xmlns:e='http://schemas.xmlsoap.org/soap/envelope/'><e:Body>"
        + content.replaceFirst("<(\\w+)>", "<s:$1 xmlns:s='http://shop.compiler.durability.understudy.org/'>")
            .replaceFirst("</(\\w+)>$", "</s:$1>")
        + "</e:Body></e:Envelope>";
    return answer(path, to(path).header("Content-Type", "text/xml").POST(HttpRequest.BodyPublishers.ofString(envelope)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"replication", "captured", "mixed", "database"})
  void everyMappingHasTheContractOfTheService(String mapping) throws Exception {
    try (TestDatabase database = new TestDatabase()) {
      Replica container = new Replica(database);
      GeneratedShop shop = GeneratedShop.of(GeneratedShop.compiled(mapping, directory.resolve(mapping)), container.home(), database);
      shop.service().durableObjects().recover();
      container.begin(shop.service());
      publish(mapping, shop.service().getClass(), shop.service());
      String unmodified = mapping + "-unmodified";
      publish(unmodified, Shop.class, new Shop(new LedgerState(), new StockState(), new VisitorSet()));

      String original = wsdl(unmodified);
      assertTrue(original.startsWith("200 ") && original.contains("OutOfStock") && original.contains("restock"), original);
      assertFalse(original.contains("hidden") || original.contains("opened"), original);
      assertEquals(original, wsdl(mapping));
      for (String content : new String[] {
          "<restock><arg0>milk</arg0><arg1>3</arg1></restock>",
          "<buy><customer>ann</customer><item>milk</item><count>1</count></buy>",
          "<buy><customer>ann</customer><item>beer</item><count>1</count></buy>",
          "<buy><customer>ann</customer><item>beer</item><count>13</count></buy>",
          "<lend><arg0>ann</arg0><arg1>milk</arg1></lend>",
          "<visit><arg0>ann</arg0></visit>",
          "<opened></opened>",
          "<look><arg0>beer</arg0></look>"}) {
        assertEquals(call(unmodified, content), call(mapping, content), content);
        container.end();
      }
    }
  }
}
