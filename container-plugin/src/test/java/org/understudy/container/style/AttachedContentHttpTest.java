package org.understudy.container.style;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.cxf.Bus;
import org.apache.cxf.jaxws.EndpointImpl;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.understudy.container.Soap;
import org.understudy.container.attachment.FaultTolerantFeature;
import org.understudy.container.attachment.OwnServlet;
import org.understudy.test.cluster.Answer;
import org.understudy.test.cluster.TestCluster;

/** An endpoint that the application publishes accepts what CXF alone accepts, but no message that is incomplete or has two operations. */
class AttachedContentHttpTest {
  private static final String XML = "text/xml; charset=UTF-8";
  /** The element can declare prefixes of types that it does not use. */
  private static final Pattern RESULT = Pattern.compile("<return(?: [^>]*)?>([^<]*)</return>");
  private static final List<String> ADDRESSES = List.of("/bare", "/handled", "/rpc", "/handled-rpc");

  @TempDir private Path directory;

  private static void publish(Bus bus) {
    List<String> addresses = new ArrayList<>(ADDRESSES);
    addresses.addAll(List.of("/number", "/handled-number"));
    for (String address : addresses) {
      Counted service = address.endsWith("rpc") ? new Styles.Rpc() : address.endsWith("number") ? new Styles.Bare() : new Styles.OneWay();
      EndpointImpl endpoint = new EndpointImpl(bus, service);
      endpoint.getFeatures().add(new FaultTolerantFeature());
      if (address.startsWith("/handled")) {
        endpoint.setHandlers(List.of(new HandledStyles.Passing()));
      }
      endpoint.publish(address);
    }
  }

  private static String total(TestCluster site, String address) {
    String body = address.endsWith("rpc") ? "<r:total xmlns:r='urn:rpc'/>" : "<o:noted xmlns:o='urn:oneway'/>";
    Answer answer = post(site, address, Soap.envelope("", body));
    assertEquals(200, answer.status(), answer.text());
    Matcher result = RESULT.matcher(answer.text());
    assertTrue(result.find(), answer.text());
    return result.group(1);
  }

  private static String add(String address, String by) {
    return address.endsWith("rpc")
        ? "<r:add xmlns:r='urn:rpc'>" + by + "<why>so</why></r:add>"
        : "<o:note xmlns:o='urn:oneway'>" + by + "</o:note>";
  }

  private static Answer post(TestCluster site, String address, String envelope) {
    return site.post(1, "/soap" + address, envelope.getBytes(StandardCharsets.UTF_8), XML);
  }

  @Test
  void incompleteMessagesAreNotExecuted() throws Exception {
    try (TestCluster site = new TestCluster(directory, new OwnServlet(AttachedContentHttpTest::publish), 1, Map.of())) {
      for (String address : ADDRESSES) {
        String whole = Soap.envelope("", add(address, "<by>3</by>"));
        String cut = whole.substring(0, whole.indexOf("</e:Body>"));
        String twice = Soap.envelope("", add(address, "<by>3</by>") + add(address, "<by>4</by>"));
        String empty = Soap.envelope("", "<!-- nothing -->");
        for (String wrong : new String[] {cut, whole.replace("</e:Envelope>", ""), twice, empty}) {
          Answer refused = post(site, address, wrong);
          assertTrue(refused.status() >= 400, address + " " + refused.status() + wrong);
          assertFalse(refused.text().contains("The service failed"), address + " " + refused.text());
          assertEquals("0", total(site, address), address + " " + wrong);
        }
        assertEquals(address.endsWith("rpc") ? 200 : 202, post(site, address, whole).status(), address);
        assertEquals("3", total(site, address), address);
      }
    }
  }

  /** CXF would answer the messages with 202. The corrected ones have the same ids. */
  @Test
  void aOneWayMessageThatIsNotHandedToTheServiceIsRejectedAndKeepsItsId() throws Exception {
    try (TestCluster site = new TestCluster(directory, new OwnServlet(AttachedContentHttpTest::publish), 3, Map.of())) {
      String note = add("/bare", "<by>3</by>");
      String unknown = "<x:header xmlns:x=\"urn:x\" e:mustUnderstand=\"1\" xmlns:e=\"http://schemas.xmlsoap.org/soap/envelope/\"/>";
      for (int i = 0; i < 6; i++) {
        String address = i < 3 ? "/bare" : "/handled";
        int replica = 1 + i % 3;
        String id = Soap.messageId("urn:uuid:" + i);
        String whole = Soap.envelope(id, note);
        for (String wrong : List.of(
            whole.replace("</e:Envelope>", ""), whole.replace("<by>3", "<by>&#1;3"), Soap.envelope(id + unknown, note),
            whole.replace("<by>3", "<by>x"))) {
          Answer refused = site.post(replica, "/soap" + address, wrong.getBytes(StandardCharsets.UTF_8), XML);
          assertTrue(refused.status() >= 400, refused.status() + " at " + replica + ": " + wrong);
        }
        assertEquals(202, site.post(replica, "/soap" + address, whole.getBytes(StandardCharsets.UTF_8), XML).status());
        assertEquals(202, site.post(replica, "/soap" + address, whole.getBytes(StandardCharsets.UTF_8), XML).status());
        assertEquals(Integer.toString(3 * replica), total(site, address), address);
      }
    }
  }

  @Test
  void numbersAreReadAsByCxfAlone() throws Exception {
    Path plain = Files.createDirectories(directory.resolve("plain"));
    try (TestCluster site = new TestCluster(directory, new OwnServlet(AttachedContentHttpTest::publish), 1, Map.of());
        PlainCxf cxf = new PlainCxf(plain, bus -> {
          new EndpointImpl(bus, new Styles.Rpc()).publish("/rpc");
          new EndpointImpl(bus, new Styles.Bare()).publish("/number");
        })) {
      for (String address : List.of("/rpc", "/number")) {
        for (String number : new String[] {"", "many", "99999999999", "2"}) {
          String body =
              address.equals("/rpc")
                  ? add(address, "<by>" + number + "</by>").replace("<by></by>", "")
                  : "<b:add xmlns:b='urn:bare'>" + number + "</b:add>";
          String envelope = Soap.envelope("", body);
          int expected = site.post(0, cxf.url(address), envelope.getBytes(StandardCharsets.UTF_8), XML).status();
          assertEquals(expected, post(site, address, envelope).status(), address + " " + number);
          assertEquals(expected, post(site, address.replace("/", "/handled-"), envelope).status(), "handled " + address + " " + number);
        }
      }
    }
  }
}
