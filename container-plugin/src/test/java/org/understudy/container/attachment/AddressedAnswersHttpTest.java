package org.understudy.container.attachment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.understudy.container.Soap.SOAP11;
import static org.understudy.container.Soap.SOAP12;
import static org.understudy.container.Soap.envelope;

import jakarta.jws.WebService;
import jakarta.xml.ws.soap.Addressing;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.cxf.Bus;
import org.apache.cxf.jaxws.EndpointImpl;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.understudy.container.Soap;
import org.understudy.replication.api.FaultTolerant;
import org.understudy.replication.api.ReplicatedState;
import org.understudy.soap.xml.Elements;
import org.understudy.test.cluster.Answer;
import org.understudy.test.cluster.TestCluster;
import org.w3c.dom.Element;

/** The header blocks of WS-Addressing in answers of a replicated endpoint, compared with those of the same class alone on CXF. */
class AddressedAnswersHttpTest {
  private static final String WSA = "http://www.w3.org/2005/08/addressing";
  private static final String SOAP12_BINDING = "http://www.w3.org/2003/05/soap/bindings/HTTP/";
  @TempDir Path directory;

  /** Alone. */
  @Addressing
  @WebService(name = "Counts", targetNamespace = "urn:counts", serviceName = "Counts", portName = "CountsPort")
  public static class Counts {
    @ReplicatedState private int value;

    /** Adds one. */
    public int next() {
      return ++value;
    }

    /** Fails. */
    public int fail() throws Uncountable {
      throw new Uncountable();
    }
  }

  /** A declared fault. */
  public static class Uncountable extends Exception {
    private static final long serialVersionUID = 1L;
  }

  /** Replicated. */
  @Addressing
  @FaultTolerant
  @WebService(name = "Counts", targetNamespace = "urn:counts", serviceName = "Counts", portName = "CountsPort")
  public static class ReplicatedCounts extends Counts {}

  private static void publish(Bus bus) {
    for (String binding : new String[] {null, SOAP12_BINDING}) {
      String version = binding == null ? "11" : "12";
      new EndpointImpl(bus, new Counts(), binding).publish("/alone" + version);
      new EndpointImpl(bus, new ReplicatedCounts(), binding).publish("/replicated" + version);
    }
  }

  private static String endpoint(String name, String number) {
    return "<a:" + name + " xmlns:a='" + WSA + "'><a:Address>" + WSA + "/anonymous</a:Address><a:ReferenceParameters>"
        + "<c:Conversation xmlns:c='urn:c'>" + number + "</c:Conversation></a:ReferenceParameters></a:" + name + ">";
  }

  /** The header blocks without those of the plugin, each with what it holds. */
  private static Map<String, String> blocks(Answer answer) throws Exception {
    Map<String, String> blocks = new TreeMap<>();
    Element root = Elements.read(answer.text().getBytes(StandardCharsets.UTF_8));
    Element header = Elements.child(root, root.getNamespaceURI(), "Header");
    assertTrue(header != null, answer.text());
    for (Element block : Elements.children(header)) {
      if (!"urn:understudy:replication:1".equals(block.getNamespaceURI())) {
        boolean isParameter = List.of("1", "true").contains(block.getAttributeNS(WSA, "IsReferenceParameter"));
        String text = block.getTextContent();
        blocks.put(
            "{" + block.getNamespaceURI() + "}" + block.getLocalName() + (isParameter ? " parameter" : ""),
            block.getLocalName().equals("MessageID") ? text.replaceFirst("[0-9a-f-]{36}$", "id") : text);
      }
    }
    return blocks;
  }

  @Test
  void theyAreTheSame() throws Exception {
    try (TestCluster site = new TestCluster(directory, new OwnServlet(AddressedAnswersHttpTest::publish), 1, Map.of())) {
      for (String version : List.of("11", "12")) {
        String soap = version.equals("11") ? SOAP11 : SOAP12;
        String type = version.equals("11") ? "text/xml" : "application/soap+xml";
        for (String operation : List.of("next", "fail")) {
          String action = "<a:Action xmlns:a='" + WSA + "'>urn:counts/Counts/" + operation + "Request</a:Action>";
          for (String headers : List.of(
              action + Soap.messageId("urn:uuid:1" + operation) + endpoint("ReplyTo", "1"),
              action + Soap.messageId("urn:uuid:2" + operation) + endpoint("ReplyTo", "1") + endpoint("FaultTo", "2"),
              action + Soap.messageId("urn:uuid:3" + operation))) {
            byte[] request = envelope(soap, headers, "<t:" + operation + " xmlns:t='urn:counts'/>").getBytes(StandardCharsets.UTF_8);
            Answer alone = site.post(1, "/soap/alone" + version, request, type);
            Answer replicated = site.post(1, "/soap/replicated" + version, request, type);
            assertEquals(alone.status(), replicated.status(), replicated.text());
            assertEquals(blocks(alone), blocks(replicated), alone.text() + replicated.text());
          }
        }
      }
    }
  }
}
