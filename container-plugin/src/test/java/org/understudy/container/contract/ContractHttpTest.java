package org.understudy.container.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.Supplier;
import javax.xml.XMLConstants;
import javax.xml.parsers.DocumentBuilderFactory;
import org.apache.cxf.Bus;
import org.apache.cxf.jaxws.EndpointImpl;
import org.apache.cxf.ws.addressing.WSAddressingFeature;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.understudy.container.ServiceCluster;
import org.understudy.container.Soap;
import org.understudy.container.attachment.FaultTolerantFeature;
import org.understudy.container.attachment.OwnServlet;
import org.understudy.container.style.HandledStyles;
import org.understudy.container.style.PlainCxf;
import org.understudy.test.cluster.Answer;
import org.understudy.test.cluster.TestCluster;
import org.w3c.dom.Attr;
import org.w3c.dom.Element;
import org.w3c.dom.Node;

/** Services of contracts as the tools of others write them: each message is answered as by CXF alone, wherever it is replicated. */
class ContractHttpTest {
  private static final String ADDRESSING = "http://www.w3.org/2005/08/addressing";
  private static final String OF_PLUGIN = "urn:understudy:replication:1";
  private static final String VERSION = "<t:RequestVersion xmlns:t='urn:mail:types'>v1</t:RequestVersion>";
  private static final String AS = "<t:Impersonation xmlns:t='urn:mail:types'>ann</t:Impersonation>";
  private static final String COOKIE = "<t:Cookie xmlns:t='urn:mail:types'>c</t:Cookie>";

  @TempDir private Path directory;

  /** A request: of SOAP 1.1 or 1.2, with header blocks and the content of its Body. */
  private record Request(String soap, String soapAction, String action, String headers, String body, byte[] image) {
    Request(String action, String headers, String body) {
      this(Soap.SOAP11, action, action, headers, body, null);
    }

    Request in12() {
      return new Request(Soap.SOAP12, soapAction, action, headers, body, image);
    }

    String[] head() {
      String type = "text/xml; charset=UTF-8";
      if (soap.equals(Soap.SOAP12)) {
        type = "application/soap+xml; charset=UTF-8; action=\"" + soapAction + "\"";
      }
      if (image != null) {
        type = "multipart/related; boundary=parts; start=\"<root>\"; type=\"text/xml\"";
      }
      return soap.equals(Soap.SOAP11) ? new String[] {type, "SOAPAction", '"' + soapAction + '"'} : new String[] {type};
    }

    byte[] bytes(String id) {
      String addressing = id == null ? "" : Soap.messageId(id) + "<a:Action xmlns:a='" + ADDRESSING + "'>" + action + "</a:Action>";
      byte[] envelope = Soap.envelope(soap, headers + addressing, body).getBytes(StandardCharsets.UTF_8);
      if (image == null) {
        return envelope;
      }
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      out.writeBytes("--parts\r\nContent-Type: text/xml; charset=UTF-8\r\nContent-ID: <root>\r\n\r\n".getBytes(StandardCharsets.UTF_8));
      out.writeBytes(envelope);
      out.writeBytes("\r\n--parts\r\nContent-Type: image/png\r\nContent-ID: <image=1@x>\r\n\r\n".getBytes(StandardCharsets.UTF_8));
      out.writeBytes(image);
      out.writeBytes("\r\n--parts--\r\n".getBytes(StandardCharsets.UTF_8));
      return out.toByteArray();
    }
  }

  private static String find(String folder) {
    return "<m:FindItem xmlns:m='urn:mail:messages'>" + (folder == null ? "" : "<m:folder>" + folder + "</m:folder>") + "</m:FindItem>";
  }

  private static List<Request> mail() {
    List<Request> requests = new ArrayList<>();
    String action = "urn:mail:action:find";
    for (String folder : new String[] {"inbox", "null", "nothing", "missing", "full", "broken", "soap", null}) {
      requests.add(new Request(action, AS + VERSION, find(folder)));
    }
    requests.add(new Request(action, VERSION, find("no one")));
    requests.add(new Request(action, AS, find("no version")));
    String moves = "urn:mail:action:move";
    requests.add(new Request(moves, VERSION + COOKIE, "<m:Move xmlns:m='urn:mail:messages'><m:to>x</m:to></m:Move>"));
    requests.add(new Request(moves, "", "<m:Move xmlns:m='urn:mail:messages'><m:to>x</m:to></m:Move>"));
    requests.add(new Request(moves, VERSION + COOKIE, "<m:Move xmlns:m='urn:mail:messages'/>"));
    requests.add(new Request("urn:mail:action:note", AS, "<m:Note xmlns:m='urn:mail:messages'><m:text>four</m:text></m:Note>"));
    requests.add(new Request("urn:mail:action:ping", VERSION, ""));
    requests.add(new Request("urn:mail:action:ping", "", ""));
    requests.add(new Request("urn:mail:action:label", "", "<text>four</text>"));
    requests.add(new Request(action, AS + VERSION, find("at the end")));
    return requests;
  }

  private static List<Request> stock() {
    String token = "<s:token xmlns:s='urn:stock'>t</s:token>";
    List<Request> requests = new ArrayList<>();
    for (String item : new String[] {"nail", "sold"}) {
      requests.add(
          new Request(
              Soap.SOAP11, "", "urn:stock:action:take", token,
              "<c:take xmlns:c='urn:stock:calls'><item>" + item + "</item><amount>3</amount></c:take>", null));
    }
    requests.add(
        new Request(
            Soap.SOAP11, "", "urn:stock:Stock:scan", token, "<s:scan xmlns:s='urn:stock'><item>nail</item></s:scan>", new byte[1_000]));
    return requests;
  }

  private enum Place {
    BEFORE, BEFORE_ADDRESSED, BEHIND, BEHIND_ADDRESSED;

    boolean addressed() {
      return this == BEFORE_ADDRESSED || this == BEHIND_ADDRESSED;
    }

    String address() {
      return "/" + name().toLowerCase(Locale.ROOT);
    }
  }

  /** Publishes a service once for each place. */
  private static void publish(Bus bus, Supplier<?> service, boolean replicated, List<Place> places) {
    for (Place place : places) {
      EndpointImpl endpoint = new EndpointImpl(bus, service.get());
      if (place.addressed()) {
        endpoint.getFeatures().add(new WSAddressingFeature());
      }
      if (place == Place.BEHIND || place == Place.BEHIND_ADDRESSED) {
        endpoint.setHandlers(List.of(new HandledStyles.Passing()));
      }
      if (replicated) {
        endpoint.getFeatures().add(new FaultTolerantFeature());
      }
      endpoint.publish(place.address());
    }
  }

  /** @param published whether the plugin also publishes the service itself */
  private void compare(Supplier<?> service, List<Request> requests, boolean published, Place... where) throws Exception {
    List<Place> places = where.length == 0 ? List.of(Place.values()) : List.of(where);
    Map<String, String> expected = new LinkedHashMap<>();
    Map<String, String> actual = new LinkedHashMap<>();
    Path plain = Files.createDirectories(directory.resolve("plain"));
    Path own = Files.createDirectories(directory.resolve("own"));
    try (PlainCxf cxf = new PlainCxf(plain, bus -> publish(bus, service, false, places));
        TestCluster site = new TestCluster(directory, new OwnServlet(bus -> publish(bus, service, true, places)), 1, Map.of());
        ServiceCluster ofPlugin =
            published ? new ServiceCluster(own, service.get().getClass(), 1, Map.of("understudy.wsrf", "off")) : null) {
      for (Place place : places) {
        int number = 0;
        for (Request request : requests) {
          byte[] bytes = request.bytes(place.addressed() ? "urn:uuid:" + place + number : null);
          String name = place + " " + number++ + " " + request.body();
          String alone = content(site.post(0, cxf.url(place.address()), bytes, request.head()), place.addressed());
          expected.put(name, alone);
          actual.put(name, content(site.post(1, "/soap" + place.address(), bytes, request.head()), place.addressed()));
          if (place == Place.BEFORE && published) {
            expected.put("PUBLISHED " + name, alone.replaceFirst(">broken<", ">The service failed. See the server's log for the reason.<"));
            actual.put("PUBLISHED " + name, content(ofPlugin.post(1, ofPlugin.service(), bytes, request.head()), false));
          }
        }
      }
    }
    assertEquals(lines(expected), lines(actual));
  }

  private static String lines(Map<String, String> answers) {
    StringBuilder lines = new StringBuilder();
    answers.forEach((name, answer) -> lines.append(name).append("\n    ").append(answer).append('\n'));
    return lines.toString();
  }

  /** The status and the envelope in a canonical form, without header blocks that are of one attempt. */
  private static String content(Answer answer, boolean addressed) throws Exception {
    StringBuilder text = new StringBuilder().append(answer.status()).append(' ');
    if (answer.bytes().length > 0) {
      DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
      factory.setNamespaceAware(true);
      append(factory.newDocumentBuilder().parse(new ByteArrayInputStream(answer.bytes())).getDocumentElement(), addressed, text);
    }
    return text.toString().replace("<Header></Header>", "");
  }

  private static boolean isLeftOut(Element one, boolean addressed) {
    String namespace = one.getNamespaceURI();
    return OF_PLUGIN.equals(namespace) || ADDRESSING.equals(namespace) && !(addressed && one.getLocalName().equals("Action"));
  }

  private static void append(Element element, boolean addressed, StringBuilder text) {
    if (isLeftOut(element, addressed)) {
      return;
    }
    text.append('<').append(element.getLocalName());
    TreeSet<String> attributes = new TreeSet<>();
    for (int i = 0; i < element.getAttributes().getLength(); i++) {
      Attr attribute = (Attr) element.getAttributes().item(i);
      if (!XMLConstants.XMLNS_ATTRIBUTE_NS_URI.equals(attribute.getNamespaceURI())) {
        attributes.add(attribute.getLocalName() + "='" + attribute.getValue() + "'");
      }
    }
    String around = element.getParentNode() instanceof Element parent ? String.valueOf(parent.getNamespaceURI()) : "";
    if (!around.equals(String.valueOf(element.getNamespaceURI()))) {
      attributes.add("{" + element.getNamespaceURI() + "}");
    }
    attributes.forEach(one -> text.append(' ').append(one));
    text.append('>');
    List<String> children = new ArrayList<>();
    for (Node child = element.getFirstChild(); child != null; child = child.getNextSibling()) {
      StringBuilder one = new StringBuilder();
      if (child instanceof Element inner) {
        append(inner, addressed, one);
      } else {
        one.append(child.getTextContent());
      }
      children.add(one.toString());
    }
    if (element.getLocalName().equals("Header")) {
      Collections.sort(children);
    }
    text.append(String.join("", children));
    text.append("</").append(element.getLocalName()).append('>');
  }

  @Test
  void partsOfMessagesMayBeInTheHeaderOrNowhere() throws Exception {
    compare(MailboxService::new, mail(), true);
  }

  @Test
  void theSameHoldsForThePortOfSoap12() throws Exception {
    compare(MailboxService.Of12::new, mail().stream().filter(one -> !one.body().isEmpty()).map(Request::in12).toList(), true);
  }

  @Test
  void partsOfRpcMayBeInTheHeaderInAnAttachmentOrNowhere() throws Exception {
    compare(StockService::new, stock(), true);
  }

  /** The plugin ignores it only where it publishes the service itself. */
  @Test
  void nilIsSeenAsByCxfAlone() throws Exception {
    String nil = " xmlns:i='http://www.w3.org/2001/XMLSchema-instance' i:nil='true'>";
    List<Request> requests = new ArrayList<>();
    for (String body : List.of(find(null), find("inbox"))) {
      requests.add(new Request("urn:mail:action:find", AS, body.replaceFirst(">", nil)));
    }
    requests.add(new Request("urn:mail:action:note", AS, "<m:Note xmlns:m='urn:mail:messages'" + nil + "<m:text>x</m:text></m:Note>"));
    compare(MailboxService::new, requests, false);
  }

  @Test
  void aContractMayHaveHundredsOfOperations() throws Exception {
    Class<?> service = WideContract.generate(Files.createDirectories(directory.resolve("generated")), 300);
    List<Request> requests = new ArrayList<>();
    for (int i = 0; i < 300; i++) {
      requests.add(
          new Request("urn:wide:do:op" + i, "", "<w:op" + i + " xmlns:w='urn:wide'><number>1</number></w:op" + i + ">"));
    }
    compare(() -> {
      try {
        return service.getConstructor().newInstance();
      } catch (ReflectiveOperationException e) {
        throw new IllegalStateException(e);
      }
    }, requests, false, Place.BEFORE_ADDRESSED, Place.BEHIND);
  }
}
