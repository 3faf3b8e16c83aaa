package org.understudy.container.style;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import jakarta.jws.WebService;
import jakarta.xml.ws.Provider;
import jakarta.xml.ws.Service;
import jakarta.xml.ws.ServiceMode;
import jakarta.xml.ws.WebServiceProvider;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import javax.xml.transform.Source;
import javax.xml.transform.stream.StreamSource;
import org.apache.cxf.Bus;
import org.apache.cxf.helpers.DOMUtils;
import org.apache.cxf.helpers.FileUtils;
import org.apache.cxf.jaxws.EndpointImpl;
import org.apache.cxf.staxutils.StaxUtils;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.understudy.container.Soap;
import org.understudy.container.attachment.FaultTolerantFeature;
import org.understudy.container.attachment.OwnServlet;
import org.understudy.replication.api.ReplicatedState;
import org.understudy.test.Condition;
import org.understudy.test.cluster.Answer;
import org.understudy.test.cluster.TestCluster;
import org.w3c.dom.Element;

/** Messages of many elements and attributes: requests as CXF accepts them, and whole answers. */
class LargeContentHttpTest {
  private static final int MANY = 12_000;
  private static final String XML = "text/xml; charset=UTF-8";

  @TempDir private Path directory;

  /** What a list consists of. */
  public static final class Row {
    public int number;
    public String name;
  }

  /** Answers with as many rows as it is told. */
  @WebService(targetNamespace = "urn:rows")
  public static class Rows {
    @ReplicatedState private int calls;

    /** Counts, so that it is an update. */
    public List<Row> rows(int count) {
      calls++;
      List<Row> rows = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        Row row = new Row();
        row.number = i;
        row.name = "row " + calls;
        rows.add(row);
      }
      return rows;
    }
  }

  /** Answers with the numbers of elements and attributes that it was sent. */
  @WebServiceProvider(targetNamespace = "urn:any", serviceName = "Any", portName = "AnyPort")
  @ServiceMode(Service.Mode.PAYLOAD)
  public static class Any implements Provider<Source> {
    @ReplicatedState private int calls;

    @Override
    public Source invoke(Source request) {
      calls++;
      try {
        Element root = StaxUtils.read(request).getDocumentElement();
        int elements = DOMUtils.findAllElementsByTagName(root, "r").size();
        return new StreamSource(new StringReader("<a:got xmlns:a=\"urn:any\" elements=\"" + elements + "\" attributes=\""
            + root.getAttributes().getLength() + "\" calls=\"" + calls + "\"/>"));
      } catch (XMLStreamException e) {
        throw new IllegalArgumentException(e);
      }
    }
  }

  /** Does not read what it is sent. */
  @WebServiceProvider(targetNamespace = "urn:any", serviceName = "Deaf", portName = "DeafPort")
  @ServiceMode(Service.Mode.PAYLOAD)
  public static class Deaf implements Provider<Source> {
    @ReplicatedState private int calls;

    @Override
    public Source invoke(Source request) {
      calls++;
      return new StreamSource(new StringReader("<a:got xmlns:a=\"urn:any\" calls=\"" + calls + "\"/>"));
    }
  }

  private static void publish(Bus bus) {
    for (String address : List.of("/rows", "/handled-rows", "/any", "/deaf")) {
      Object service = switch (address) {
        case "/any" -> new Any();
        case "/deaf" -> new Deaf();
        default -> new Rows();
      };
      EndpointImpl endpoint = new EndpointImpl(bus, service);
      endpoint.getFeatures().add(new FaultTolerantFeature());
      if (address.startsWith("/handled")) {
        endpoint.setHandlers(List.of(new HandledStyles.Passing()));
      }
      endpoint.publish(address);
    }
  }

  private static Answer post(TestCluster site, int replica, String address, String id, String body) {
    Answer answer = site.post(replica, "/soap" + address, Soap.envelope(Soap.messageId(id), body).getBytes(StandardCharsets.UTF_8), XML);
    assertEquals(200, answer.status(), () -> answer.text().substring(0, Math.min(2_000, answer.text().length())));
    return answer;
  }

  private static int count(Answer answer, String element) throws Exception {
    XMLStreamReader in = XMLInputFactory.newFactory().createXMLStreamReader(new StringReader(answer.text()));
    int count = 0;
    while (in.hasNext()) {
      count += in.next() == XMLStreamReader.START_ELEMENT && in.getLocalName().equals(element) ? 1 : 0;
    }
    return count;
  }

  @Test
  void everythingArrives() throws Exception {
    try (TestCluster site = new TestCluster(directory, new OwnServlet(LargeContentHttpTest::publish), 2, Map.of())) {
      for (int replica = 1; replica <= 2; replica++) {
        for (String address : List.of("/rows", "/handled-rows")) {
          String request = "<r:rows xmlns:r='urn:rows'><arg0>" + MANY + "</arg0></r:rows>";
          Answer first = post(site, replica, address, "urn:uuid:" + address + replica, request);
          Answer again = post(site, replica, address, "urn:uuid:" + address + replica, request);
          assertEquals(MANY, count(first, "number"), address);
          assertEquals(MANY, count(again, "name"), address);
        }
        String attributes = "";
        for (int i = 0; i < 300; i++) {
          attributes += " a" + i + "='1'";
        }
        String sent = "<a:send xmlns:a='urn:any'" + attributes + ">" + "<r/>".repeat(MANY) + "</a:send>";
        String got = post(site, replica, "/any", "urn:uuid:any" + replica, sent).text();
        assertTrue(got.contains("elements=\"" + MANY + "\""), got);
        assertTrue(got.contains("attributes=\"30"), got);
      }
    }
  }

  private static int files() {
    String[] files = FileUtils.getDefaultTempDir().list((directory, name) -> name.startsWith("cos"));
    return files == null ? 0 : files.length;
  }

  @Test
  void aBodyThatNobodyReadsLeavesNoFile() throws Exception {
    try (TestCluster site = new TestCluster(directory, new OwnServlet(LargeContentHttpTest::publish), 2, Map.of())) {
      int before = files();
      for (int replica = 1; replica <= 2; replica++) {
        String large = "<a:send xmlns:a='urn:any'>" + "x".repeat(1_000_000) + "</a:send>";
        post(site, replica, "/deaf", "urn:uuid:deaf" + replica, large);
        byte[] two = Soap.envelope("", large + large).getBytes(StandardCharsets.UTF_8);
        site.post(replica, "/soap/deaf", two, XML);
        String unknown = "<x:header xmlns:x=\"urn:x\" e:mustUnderstand=\"1\" xmlns:e=\"http://schemas.xmlsoap.org/soap/envelope/\"/>";
        String rows = "<r:rows xmlns:r='urn:rows'><arg0>1</arg0><!--" + "x".repeat(1_000_000) + "--></r:rows>";
        for (String address : List.of("/rows", "/handled-rows")) {
          Answer refused = site.post(replica, "/soap" + address, Soap.envelope(unknown, rows).getBytes(StandardCharsets.UTF_8), XML);
          assertEquals(500, refused.status(), address);
        }
      }
      Condition.await("no file to be left", () -> files() == before);
    }
  }
}
