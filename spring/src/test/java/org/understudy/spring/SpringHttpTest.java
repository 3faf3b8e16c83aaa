package org.understudy.spring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.web.context.support.AnnotationConfigWebApplicationContext;
import org.understudy.test.cluster.Answer;
import org.understudy.test.cluster.TestCluster;
import org.understudy.test.strategy.ForEachStrategy;

/** Endpoints that Spring publishes through CXF's servlet. */
@ForEachStrategy
class SpringHttpTest {
  @TempDir Path directory;

  private static byte[] envelope(String id, String name) {
    String envelope = "<e:Envelope xmlns:e=\"http://schemas.xmlsoap.org/soap/envelope/\"><e:Header>"
        + "<a:MessageID xmlns:a=\"http://www.w3.org/2005/08/addressing\">urn:" + id + "</a:MessageID></e:Header><e:Body>"
        + "<g:greet xmlns:g=\"urn:greeter\"><name>" + name + "</name></g:greet></e:Body></e:Envelope>";
    return envelope.getBytes(StandardCharsets.UTF_8);
  }

  private static Answer greet(TestCluster cluster, int replica, String id, String name) {
    return cluster.post(replica, "/soap/greeter", envelope(id, name), "text/xml");
  }

  private void isExecutedExactlyOnceAcrossAFailover(SpringApplication application) throws Exception {
    Greetings.USED.set(0);
    try (TestCluster cluster = new TestCluster(directory, application, 3, Map.of())) {
      int primary = cluster.primary();
      Answer first = greet(cluster, primary, "1", "Ann");
      assertEquals("Hello Ann 1", first.between("<return>", "</return>"));
      assertEquals("Hello Bob 2", greet(cluster, cluster.backup(), "2", "Bob").between("<return>", "</return>"));
      cluster.stop(primary);
      int next = cluster.primary();
      assertEquals("Hello Ann 1", greet(cluster, next, "1", "Ann").between("<return>", "</return>"));
      assertEquals("Hello Cid 3", greet(cluster, next, "3", "Cid").between("<return>", "</return>"));
      cluster.assertRuns(3, Greetings.USED.get());
    }
  }

  @Test
  void anEndpointOfSpringXmlIsReplicated() throws Exception {
    isExecutedExactlyOnceAcrossAFailover(new SpringApplication(null, "classpath:greeter.xml"));
  }

  @Test
  void anEndpointOfAConfigurationClassIsReplicated() throws Exception {
    isExecutedExactlyOnceAcrossAFailover(
        new SpringApplication(AnnotationConfigWebApplicationContext.class.getName(), GreeterConfiguration.class.getName()));
  }

  @Test
  void anEndpointOfSpringXmlNamesItsGroup() throws Exception {
    Map<String, String> groups = Map.of("understudy.groups", "greetings,unused");
    try (TestCluster cluster = new TestCluster(directory, new SpringApplication(null, "classpath:greeter-group.xml"), 1, groups)) {
      assertEquals(200, cluster.health(1, "greetings/writable").statusCode());
      assertEquals(503, cluster.health(1, "unused/ready").statusCode());
      assertEquals("Hello Ann 1", greet(cluster, 1, "1", "Ann").between("<return>", "</return>"));
    }
  }

  @Test
  void eachRequestHasItsOwnRequestScope() throws Exception {
    SpringApplication application =
        new SpringApplication(AnnotationConfigWebApplicationContext.class.getName(), VisitedConfiguration.class.getName());
    try (TestCluster cluster = new TestCluster(directory, application, 1, Map.of())) {
      for (int i = 1; i <= 20; i += 2) {
        assertEquals("Come in Ann " + i, greet(cluster, 1, "" + i, "Ann").between("<return>", "</return>"));
        String late = cluster.postLate(1, "/soap/greeter", envelope("" + (i + 1), "Bob"));
        assertTrue(late.contains("<return>Come in Bob " + (i + 1) + "</return>"), late);
      }
    }
  }

  private static String add(TestCluster cluster, int replica, String path, String id, int more) {
    String envelope = "<e:Envelope xmlns:e=\"http://schemas.xmlsoap.org/soap/envelope/\"><e:Header>"
        + "<a:MessageID xmlns:a=\"http://www.w3.org/2005/08/addressing\">urn:" + id + "</a:MessageID></e:Header><e:Body>"
        + "<t:add xmlns:t=\"urn:tally\"><more>" + more + "</more></t:add></e:Body></e:Envelope>";
    return cluster.post(replica, "/soap" + path, envelope.getBytes(StandardCharsets.UTF_8), "text/xml").between("<return>", "</return>");
  }

  @Test
  void servicesBehindProxiesKeepTheirState() throws Exception {
    ProxiedConfiguration.COMMITTED.set(0);
    SpringApplication application =
        new SpringApplication(AnnotationConfigWebApplicationContext.class.getName(), ProxiedConfiguration.class.getName());
    try (TestCluster cluster = new TestCluster(directory, application, 3, Map.of())) {
      int primary = cluster.primary();
      assertEquals("5", add(cluster, primary, "/interface", "1", 5));
      assertEquals("7", add(cluster, primary, "/class", "2", 7));
      cluster.stop(primary);
      int next = cluster.primary();
      assertEquals("5", add(cluster, next, "/interface", "1", 5));
      assertEquals("6", add(cluster, next, "/interface", "3", 1));
      assertEquals("8", add(cluster, next, "/class", "4", 1));
      cluster.assertRuns(4, ProxiedConfiguration.COMMITTED.get());
    }
  }
}
