package org.understudy.counter.client;

import jakarta.xml.ws.EndpointReference;
import jakarta.xml.ws.wsaddressing.W3CEndpointReference;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.xml.XMLConstants;
import javax.xml.parsers.DocumentBuilder;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import javax.xml.transform.OutputKeys;
import javax.xml.transform.Transformer;
import javax.xml.transform.TransformerException;
import javax.xml.transform.TransformerFactory;
import javax.xml.transform.dom.DOMResult;
import javax.xml.transform.dom.DOMSource;
import javax.xml.transform.stream.StreamResult;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.ErrorHandler;
import org.xml.sax.SAXException;
import org.xml.sax.SAXParseException;

/**
 * A counter's endpoint reference in a file (WS-Addressing 1.0, section 2), with the replicas that were known when it was
 * written in its metadata: it is of use after the replica that made it is gone. Any WS-Addressing toolkit can read it.
 *
 * @param endpoint as the service gave it
 * @param replicas the service's URL at each replica; never empty
 */
public record CounterReference(EndpointReference endpoint, List<URI> replicas) {
  private static final String WSA = "http://www.w3.org/2005/08/addressing";
  private static final String NAMESPACE = "urn:understudy:counter-client:1";
  private static final int MAX_BYTES = 65_536;

  public CounterReference {
    replicas = List.copyOf(replicas);
  }

  /**
   * Reads a reference. Without replicas in its metadata, the one at its address is the only one known.
   *
   * @throws CounterException when the file is not there, or holds no endpoint reference of a counter
   */
  public static CounterReference readFrom(Path file) throws CounterException {
    Document document;
    try (InputStream in = Files.newInputStream(file)) {
      byte[] bytes = in.readNBytes(MAX_BYTES + 1);
      if (bytes.length > MAX_BYTES) {
        throw noReference(file, "it is longer than " + MAX_BYTES + " bytes", null);
      }
      document = documents().parse(new ByteArrayInputStream(bytes));
    } catch (NoSuchFileException e) {
      throw new CounterException("The file " + file + " does not exist; create a counter first, or give --epr FILE.", e);
    } catch (IOException e) {
      throw new CounterException("The file " + file + " cannot be read (" + e.getMessage() + ").", e);
    } catch (SAXException e) {
      throw noReference(file, e.getMessage(), e);
    }
    Element root = document.getDocumentElement();
    NodeList addresses = root.getElementsByTagNameNS(WSA, "Address");
    if (!WSA.equals(root.getNamespaceURI()) || !"EndpointReference".equals(root.getLocalName())
        || addresses.getLength() == 0) {
      throw noReference(file, "it begins with " + root.getNodeName(), null);
    }
    try {
      return new CounterReference(
          new W3CEndpointReference(new DOMSource(document)), replicas(root, addresses.item(0).getTextContent().trim()));
    } catch (IllegalArgumentException e) {
      throw noReference(file, e.getMessage(), e);
    }
  }

  private static CounterException noReference(Path file, String why, Throwable cause) {
    return new CounterException("The file " + file + " holds no endpoint reference of a counter: " + why + ".", cause);
  }

  private static List<URI> replicas(Element root, String address) {
    List<URI> found = new ArrayList<>();
    NodeList replicas = root.getElementsByTagNameNS(NAMESPACE, "Replica");
    for (int i = 0; i < replicas.getLength(); i++) {
      found.add(URI.create(replicas.item(i).getTextContent().trim()));
    }
    if (found.isEmpty()) {
      found.add(URI.create(address.substring(0, Math.max(0, address.lastIndexOf('/')))));
    }
    return found;
  }

  /** The counter's own URL, at the replica that made it. */
  public String address() {
    Document document = documents().newDocument();
    endpoint.writeTo(new DOMResult(document));
    return document.getElementsByTagNameNS(WSA, "Address").item(0).getTextContent().trim();
  }

  /**
   * Writes the reference, over what was in the file.
   *
   * @throws CounterException when it cannot be written
   */
  public void writeTo(Path file) throws CounterException {
    try {
      Document document = documents().newDocument();
      endpoint.writeTo(new DOMResult(document));
      Element root = document.getDocumentElement();
      Element metadata = (Element) root.getElementsByTagNameNS(WSA, "Metadata").item(0);
      if (metadata == null) {
        metadata = document.createElementNS(WSA, "wsa:Metadata");
        root.appendChild(metadata);
      }
      Element known = document.createElementNS(NAMESPACE, "c:Replicas");
      metadata.appendChild(known);
      for (URI replica : replicas) {
        Element one = document.createElementNS(NAMESPACE, "c:Replica");
        one.setTextContent(replica.toString());
        known.appendChild(one);
      }
      Files.write(file, bytes(document));
    } catch (IOException | TransformerException e) {
      throw new CounterException("The endpoint reference cannot be written to " + file + " (" + e.getMessage() + ").", e);
    }
  }

  private static byte[] bytes(Document document) throws TransformerException {
    Transformer writer = TransformerFactory.newDefaultInstance().newTransformer();
    writer.setOutputProperty(OutputKeys.INDENT, "yes");
    writer.setOutputProperty(OutputKeys.STANDALONE, "yes");
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    writer.transform(new DOMSource(document), new StreamResult(out));
    return out.toByteArray();
  }

  private static DocumentBuilder documents() {
    try {
      DocumentBuilderFactory factory = DocumentBuilderFactory.newDefaultNSInstance();
      factory.setFeature(XMLConstants.FEATURE_SECURE_PROCESSING, true);
      factory.setFeature("http://apache.org/xml/features/disallow-doctype-decl", true);
      DocumentBuilder builder = factory.newDocumentBuilder();
      builder.setErrorHandler(new Thrower());
      return builder;
    } catch (ParserConfigurationException e) {
      throw new IllegalStateException("Every Java can read XML without a DOCTYPE.", e);
    }
  }

  /** The default one writes to the terminal. */
  private static final class Thrower implements ErrorHandler {
    @Override
    public void warning(SAXParseException e) {
      // Not about whether it is well-formed.
    }

    @Override
    public void error(SAXParseException e) throws SAXException {
      throw e;
    }

    @Override
    public void fatalError(SAXParseException e) throws SAXException {
      throw e;
    }
  }
}
