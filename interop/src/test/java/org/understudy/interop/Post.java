package org.understudy.interop;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.UUID;
import javax.xml.namespace.QName;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Document;
import org.w3c.dom.Node;
import org.w3c.dom.NodeList;
import org.xml.sax.SAXException;

/** An envelope as a client might send it, byte for byte as the test says, and its answer. */
final class Post {
  static final String SOAP11 = "http://schemas.xmlsoap.org/soap/envelope/";
  static final String SOAP12 = "http://www.w3.org/2003/05/soap-envelope";
  static final String WSA = "http://www.w3.org/2005/08/addressing";
  static final String COUNTER = "http://counter.com";

  private static final HttpClient HTTP = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  private final String soap;
  private final StringBuilder headers = new StringBuilder();
  private String body = "";
  private String contentType;
  private String soapAction;

  private Post(String soap) {
    this.soap = soap;
    this.contentType = soap.equals(SOAP11) ? "text/xml; charset=utf-8" : "application/soap+xml; charset=utf-8";
  }

  static Post create(String soap) {
    return new Post(soap).body("<c:createCounter/>");
  }

  static Post add(String soap, int value) {
    return new Post(soap).body("<c:add><c:value>" + value + "</c:value></c:add>");
  }

  static Post value(String soap) {
    return new Post(soap).body("<c:getValue/>");
  }

  /** @param element declares its own prefixes, but {@code s}, {@code wsa} and {@code c} */
  static Post of(String soap, String element) {
    return new Post(soap).body(element);
  }

  private Post body(String element) {
    body = element;
    return this;
  }

  /** @param block with prefixes {@code s} for SOAP and {@code wsa} for WS-Addressing */
  Post header(String block) {
    headers.append(block);
    return this;
  }

  Post action(String action) {
    return header("<wsa:Action>" + action + "</wsa:Action>");
  }

  /** SOAP 1.1's, exactly as it stands behind the colon. */
  Post soapAction(String value) {
    soapAction = value;
    return this;
  }

  /** SOAP 1.2's, exactly as it stands behind the equals sign. */
  Post actionParameter(String value) {
    contentType += "; action=" + value;
    return this;
  }

  Answer to(String address) throws IOException, InterruptedException {
    String envelope = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<s:Envelope xmlns:s=\"" + soap + "\" xmlns:wsa=\"" + WSA
        + "\" xmlns:c=\"" + COUNTER + "\">"
        + (headers.length() == 0 ? "" : "<s:Header>" + headers + "</s:Header>")
        + "<s:Body>" + body + "</s:Body></s:Envelope>";
    HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(address)).timeout(Duration.ofSeconds(60))
        .header("Content-Type", contentType).POST(HttpRequest.BodyPublishers.ofString(envelope));
    if (soapAction != null) {
      request.header("SOAPAction", soapAction);
    }
    HttpResponse<byte[]> response = HTTP.send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
    String type = response.headers().firstValue("Content-Type").orElse("");
    return new Answer(response.statusCode(), type, parse(response.body()));
  }

  /** Null when there is nothing. */
  private static Document parse(byte[] bytes) throws IOException {
    if (bytes.length == 0) {
      return null;
    }
    try {
      DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
      factory.setNamespaceAware(true);
      return factory.newDocumentBuilder().parse(new ByteArrayInputStream(bytes));
    } catch (ParserConfigurationException | SAXException e) {
      throw new IOException("The answer is no XML: " + new String(bytes, java.nio.charset.StandardCharsets.UTF_8), e);
    }
  }

  static String newMessageId() {
    return "urn:uuid:" + UUID.randomUUID();
  }

  /**
   * What came back.
   *
   * @param envelope null when there was none
   */
  record Answer(int status, String contentType, Document envelope) {

    /** The text of the only such element; null when there is none. */
    String text(String namespace, String name) {
      NodeList found = envelope.getElementsByTagNameNS(namespace, name);
      if (found.getLength() > 1) {
        throw new IllegalStateException("There are " + found.getLength() + " elements " + name + " in the answer.");
      }
      return found.getLength() == 0 ? null : found.item(0).getTextContent().strip();
    }

    /** The name of the element in the body. */
    QName content() {
      NodeList bodies = envelope.getElementsByTagNameNS(envelope.getDocumentElement().getNamespaceURI(), "Body");
      Node content = bodies.item(0).getFirstChild();
      while (content.getNodeType() != Node.ELEMENT_NODE) {
        content = content.getNextSibling();
      }
      return new QName(content.getNamespaceURI(), content.getLocalName());
    }

    int total() {
      return number("total");
    }

    int value() {
      return number("value");
    }

    private int number(String name) {
      String text = text(COUNTER, name);
      if (status != 200 || text == null) {
        throw new AssertionError(status + " and no " + name + ": " + envelope.getDocumentElement().getTextContent());
      }
      return Integer.parseInt(text);
    }

    /**
     * The local name of the fault's most precise code, whatever the version of SOAP: that of the last subcode where there
     * are some. Null when it is no fault.
     */
    String faultCode() {
      String code = text("", "faultcode");
      NodeList values = envelope.getElementsByTagNameNS(SOAP12, "Value");
      if (code == null && values.getLength() > 0) {
        code = values.item(values.getLength() - 1).getTextContent().strip();
      }
      return code == null ? null : code.substring(code.indexOf(':') + 1);
    }
  }
}
