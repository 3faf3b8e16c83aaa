package org.understudy.container.style;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.cxf.Bus;
import org.apache.cxf.jaxws.EndpointImpl;
import org.apache.cxf.ws.security.wss4j.WSS4JInInterceptor;
import org.apache.cxf.ws.security.wss4j.WSS4JOutInterceptor;
import org.apache.wss4j.common.WSEncryptionPart;
import org.apache.wss4j.common.ext.WSSecurityException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;
import org.understudy.container.Soap;
import org.understudy.container.attachment.FaultTolerantFeature;
import org.understudy.container.attachment.OwnServlet;
import org.understudy.container.invoker.SealedMessage;
import org.understudy.container.service.SecurityKeys;
import org.understudy.soap.mime.Multipart;
import org.understudy.soap.xml.Elements;
import org.understudy.test.cluster.Answer;
import org.understudy.test.cluster.TestCluster;
import org.w3c.dom.Element;

/**
 * Services of every style with WS-Security, all at one server. Their answers are those of CXF alone, are stored before they are signed
 * and encrypted, and survive their replica.
 */
class SealedStyleHttpTest {
  private static final String XML = "text/xml; charset=UTF-8";
  private static final String MULTIPART = "multipart/related; boundary=parts; start=\"<root>\"; start-info=\"text/xml\"; type=\"";
  private static final String SWA = MULTIPART + "text/xml\"";
  private static final String MTOM = MULTIPART + "application/xop+xml\"";
  private static final String BODY = "{Element}{http://schemas.xmlsoap.org/soap/envelope/}Body";
  private static final Pattern OURS = Pattern.compile("urn:understudy|wssecurity-secext|/addressing$");
  private static final Pattern INCLUDE = Pattern.compile("(?s)<(\\w+):Include [^>]*href=[\"']cid:([^\"']*)[\"'][^>]*(/>|></\\1:Include>)");
  private static final String DATA = data();

  @TempDir private Path directory;

  /**
   * A request of one style.
   *
   * @param sealed whether the Body is encrypted too; else it is signed only
   * @param action of HTTP, or null
   */
  private record Style(
      String name, Supplier<? extends Counted> service, boolean sealed, String type, String action, String headers, String body) {
    byte[] request(String client, String id) throws Exception {
      String envelope = Soap.envelope(headers + Soap.messageId(id), body);
      WSEncryptionPart signed = new WSEncryptionPart("MessageID", "http://www.w3.org/2005/08/addressing", "Element");
      byte[] root =
          sealed
              ? SealedMessage.of(client, envelope, signed)
              : SealedMessage.bytes(SealedMessage.signed(client, envelope, signed));
      if (!type.startsWith("multipart")) {
        return root;
      }
      // The signature covers the content, and the message has it beside the envelope.
      String text =
          new String(root, StandardCharsets.UTF_8)
              .replace(DATA, "<x:Include xmlns:x='http://www.w3.org/2004/08/xop/include' href='cid:data'/>");
      String rootType = type.equals(MTOM) ? "application/xop+xml; charset=UTF-8; type=\"text/xml\"" : XML;
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      out.writeBytes(("--parts\r\nContent-Type: " + rootType + "\r\nContent-ID: <root>\r\n\r\n" + text
          + "\r\n--parts\r\nContent-Type: application/octet-stream\r\nContent-Transfer-Encoding: binary\r\n"
          + "Content-ID: <data>\r\n\r\n").getBytes(StandardCharsets.UTF_8));
      out.writeBytes(Base64.getDecoder().decode(DATA));
      out.writeBytes("\r\n--parts--\r\n".getBytes(StandardCharsets.UTF_8));
      return out.toByteArray();
    }

    String[] head() {
      return action == null ? new String[] {type} : new String[] {type, "SOAPAction", '"' + action + '"'};
    }

    String address() {
      return "/" + name;
    }
  }

  private static String data() {
    byte[] bytes = new byte[3_000];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) i;
    }
    return Base64.getEncoder().encodeToString(bytes);
  }

  private static Style xml(String name, Supplier<? extends Counted> service, String body) {
    return new Style(name, service, true, XML, null, "", body);
  }

  private static final List<Style> STYLES =
      List.of(
          xml("rpc", Styles.Rpc::new, "<r:add xmlns:r='urn:rpc'><by>3</by><why>so</why></r:add>"),
          xml("bare", Styles.Bare::new, "<b:add xmlns:b='urn:bare'>4</b:add>"),
          xml("alone", Styles.Alone::new, ""),
          new Style("same", Styles.Same::new, true, XML, "urn:same:put", "", "<s:number xmlns:s='urn:same'>5</s:number>"),
          new Style(
              "headed", Styles.Headed::new, true, XML, null, "<h:token xmlns:h='urn:headed'>a &lt; b</h:token>",
              "<h:stamp xmlns:h='urn:headed'><what>it</what></h:stamp>"),
          xml("held", Styles.Held::new, "<h:extend xmlns:h='urn:held'><text>a</text></h:extend>"),
          xml("validated", Styles.Validated::new, "<v:add xmlns:v='urn:validated'><by>6</by></v:add>"),
          xml("payload", Styles.Payload::new, "<p:any xmlns:p='urn:payload'>text</p:any>"),
          xml("message", Styles.Message::new, "<p:number xmlns:p='urn:message'>1</p:number>"),
          xml("whole", Styles.Whole::new, "<p:number xmlns:p='urn:saaj'>1</p:number>"),
          new Style("parts", Styles.Whole::new, true, SWA, null, "", "<p:number xmlns:p='urn:saaj'>1</p:number>"),
          new Style("attached", Styles.Attached::new, true, SWA, null, "", "<a:echo xmlns:a='urn:swa'><data>cid:data</data></a:echo>"),
          new Style(
              "optimized", Styles.Optimized::new, false, MTOM, null, "",
              "<m:echo xmlns:m='urn:mtom'><bytes>" + DATA + "</bytes></m:echo>"));

  private static void publish(Bus bus, boolean replicated) {
    for (Style style : STYLES) {
      EndpointImpl endpoint = new EndpointImpl(bus, style.service().get());
      Map<String, Object> in = SecurityKeys.incoming();
      Map<String, Object> out = SecurityKeys.outgoing(SecurityKeys.SERVICE, "useReqSigCert", BODY);
      if (!style.sealed()) {
        SecurityKeys.signed(in);
        SecurityKeys.signed(out);
      }
      endpoint.getInInterceptors().add(new WSS4JInInterceptor(in));
      endpoint.getOutInterceptors().add(new WSS4JOutInterceptor(out));
      endpoint.getOutFaultInterceptors().add(new WSS4JOutInterceptor(out));
      if (replicated) {
        endpoint.getFeatures().add(new FaultTolerantFeature());
      }
      endpoint.publish(style.address());
    }
  }

  /** Status, header blocks of the service, content of the Body, and attachments, after decryption. */
  private static String content(Style style, Answer answer) throws Exception {
    String sealed = answer.text();
    List<Multipart.Part> parts = new ArrayList<>();
    Matcher multipart = Pattern.compile("(?s)^\\s*--(\\S+)\r\n.*").matcher(sealed);
    if (multipart.matches()) {
      String type = "multipart/related; boundary=\"" + multipart.group(1) + "\"";
      Multipart message = Multipart.read(answer.bytes(), answer.bytes().length, type);
      sealed = new String(message.root(), StandardCharsets.UTF_8);
      parts.addAll(message.parts());
    }
    assertEquals(style.sealed(), sealed.contains("EncryptedData"), sealed);
    for (Matcher include = INCLUDE.matcher(sealed); include.find(); include.reset(sealed)) {
      // The signature covers the content.
      String id = URLDecoder.decode(include.group(2), StandardCharsets.UTF_8);
      Multipart.Part part = parts.stream().filter(one -> one.id().equals(id)).findAny().orElseThrow();
      parts.remove(part);
      sealed = include.replaceFirst(Base64.getEncoder().encodeToString(part.content()));
    }
    StringBuilder all = new StringBuilder().append(answer.status());
    try {
      Element envelope = SealedMessage.parse(SealedMessage.opened(sealed.getBytes(StandardCharsets.UTF_8))).getDocumentElement();
      for (Element part : Elements.children(envelope)) {
        for (Element block : Elements.children(part)) {
          if (part.getLocalName().equals("Body") || !OURS.matcher(block.getNamespaceURI()).find()) {
            write(block, all.append(' ').append(part.getLocalName()).append(": "));
          }
        }
      }
    } catch (WSSecurityException e) {
      all.append(e.getMessage());
    }
    parts.forEach(part -> all.append(' ').append(Arrays.hashCode(part.content())));
    return all.toString();
  }

  /** Writes names, attributes and text, independent of prefixes. */
  private static void write(Element element, StringBuilder to) {
    to.append(element.getLocalName()).append('[');
    for (int i = 0; i < element.getAttributes().getLength(); i++) {
      if (element.getAttributes().item(i).getNamespaceURI() == null) {
        to.append('@').append(element.getAttributes().item(i).getNodeValue());
      }
    }
    List<Element> children = Elements.children(element);
    if (children.isEmpty()) {
      to.append(element.getTextContent().replaceAll("^cid:.*", "cid:"));
    }
    children.forEach(child -> write(child, to));
    to.append(']');
  }

  private static String post(TestCluster site, int replica, Style style, String id) throws Exception {
    return content(style, site.post(replica, "/soap" + style.address(), style.request("alice", id), style.head()));
  }

  /** One check for each style; all are made. */
  @FunctionalInterface
  private interface Check {
    void of(Style style) throws Exception;
  }

  private static void each(Check check) {
    assertAll(STYLES.stream().map(style -> (Executable) () -> {
      try {
        check.of(style);
      } catch (Exception | AssertionError e) {
        throw new AssertionError(style.name() + ": " + e.getMessage(), e);
      }
    }));
  }

  @Test
  void theAnswerIsCxfsAndSurvivesItsReplica() throws Exception {
    Map<String, List<String>> expected = new TreeMap<>();
    try (TestCluster site = new TestCluster(directory, new OwnServlet(bus -> publish(bus, true)), 3, Map.of())) {
      try (PlainCxf cxf = new PlainCxf(Files.createDirectories(directory.resolve("plain")), bus -> publish(bus, false))) {
        for (Style style : STYLES) {
          String url = cxf.url(style.address());
          expected.put(
              style.name(),
              List.of(
                  content(style, site.post(0, url, style.request("alice", "urn:1"), style.head())),
                  content(style, site.post(0, url, style.request("alice", "urn:2"), style.head())),
                  content(style, site.post(0, url, style.request("alice", "urn:3"), style.head()))));
        }
      }
      int primary = site.primary();
      int backup = site.backup();
      each(style -> {
        List<String> answers = expected.get(style.name());
        assertNotEquals(answers.get(0), answers.get(1), "an update");
        assertEquals(answers.get(0), post(site, primary, style, "urn:first"));
        assertEquals(answers.get(0), post(site, primary, style, "urn:first"), "again");
        assertEquals(answers.get(1), post(site, backup, style, "urn:second"), "forwarded");
      });
      site.stop(primary);
      int next = site.primary();
      each(style -> {
        List<String> answers = expected.get(style.name());
        assertEquals(answers.get(0), post(site, next, style, "urn:first"), "at another replica");
        assertEquals(answers.get(2), post(site, next, style, "urn:third"));
        // Message ids are those of a principal.
        String other = content(style, site.post(next, "/soap" + style.address(), style.request("bob", "urn:first"), style.head()));
        assertTrue(other.startsWith("200 ") && !answers.contains(other), "another principal: " + other);
      });
    }
  }
}
