package org.understudy.wsrf.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import javax.xml.XMLConstants;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.understudy.soap.xml.Elements;
import org.w3c.dom.Attr;
import org.w3c.dom.Element;
import org.w3c.dom.Node;

/**
 * Holds our copies of the standards' contracts to those that OASIS published, as CXF ships them. What differs is what the
 * conformance page lists, and nothing else. Compared are the components at the top, and each operation of a port type, with
 * names resolved; not prefixes, comments, documentation, locations, values that are the default anyway, and wsam:Action.
 */
class PublishedCopiesTest {
  private static final String PUBLISHED = "/org/apache/cxf/wsn/wsdl/";
  private static final String OURS = "/wsdl/standard/";
  private static final String WSAM = "http://www.w3.org/2007/05/addressing/metadata";
  private static final Set<String> NAMES =
      Set.of(
          "type", "ref", "base", "element", "message", "binding", "substitutionGroup", "itemType", "refer", "memberTypes",
          "ResourceProperties");
  private static final Set<String> DEFAULTS =
      Set.of(
          "minOccurs=1", "maxOccurs=1", "mixed=false", "use=optional", "attributeFormDefault=unqualified", "namespace=##any");

  private static Element root(String resource) throws IOException {
    try (InputStream in = PublishedCopiesTest.class.getResourceAsStream(resource)) {
      assertNotNull(in, resource);
      return Xml.read(new ByteArrayInputStream(withoutDoctype(in.readAllBytes()))).getDocumentElement();
    }
  }

  private static byte[] withoutDoctype(byte[] xml) {
    String text = new String(xml, java.nio.charset.StandardCharsets.UTF_8);
    return text.replaceFirst("(?s)<!DOCTYPE[^>\\[]*(\\[.*?\\]\\s*)?>", "").getBytes(java.nio.charset.StandardCharsets.UTF_8);
  }

  /** Every component by its kind and name. */
  private static Map<String, String> components(Element root) {
    Map<String, String> components = new TreeMap<>();
    components.put("root", attributes(root).toString());
    for (Element child : Elements.children(root)) {
      switch (child.getLocalName()) {
        case "types" -> Elements.children(child).forEach(
            schema -> Elements.children(schema).forEach(part -> put(components, "types ", part)));
        case "portType" -> {
          components.put(named(child), attributes(child).toString());
          Elements.children(child).forEach(operation -> put(components, named(child) + " ", operation));
        }
        default -> put(components, "", child);
      }
    }
    return components;
  }

  private static void put(Map<String, String> components, String where, Element element) {
    String written = written(element);
    if (!written.isEmpty()) {
      components.put(where + named(element), written);
    }
  }

  private static String named(Element element) {
    String name = element.getAttribute("name");
    return element.getLocalName() + " " + (name.isEmpty() ? element.getAttribute("namespace") : name);
  }

  private static String written(Element element) {
    if (element.getLocalName().equals("annotation") || element.getLocalName().equals("documentation")) {
      return "";
    }
    StringBuilder text = new StringBuilder("<").append(element.getLocalName()).append(' ').append(attributes(element)).append('>');
    for (Node child = element.getFirstChild(); child != null; child = child.getNextSibling()) {
      if (child instanceof Element inner) {
        text.append(written(inner));
      } else if (child.getNodeType() == Node.TEXT_NODE || child.getNodeType() == Node.CDATA_SECTION_NODE) {
        text.append(child.getNodeValue().strip());
      }
    }
    return text.append("</>").toString();
  }

  private static Set<String> attributes(Element element) {
    Set<String> attributes = new TreeSet<>();
    for (int i = 0; i < element.getAttributes().getLength(); i++) {
      Attr attribute = (Attr) element.getAttributes().item(i);
      String name = attribute.getLocalName();
      boolean ignored =
          XMLConstants.XMLNS_ATTRIBUTE_NS_URI.equals(attribute.getNamespaceURI())
              || WSAM.equals(attribute.getNamespaceURI())
              || XMLConstants.W3C_XML_SCHEMA_INSTANCE_NS_URI.equals(attribute.getNamespaceURI())
              || name.equals("schemaLocation") || name.equals("location");
      String value = attribute.getValue().strip();
      String written = name + "=" + (NAMES.contains(name) ? resolved(element, value) : value);
      if (!ignored && !DEFAULTS.contains(written)) {
        attributes.add(written);
      }
    }
    return attributes;
  }

  private static String resolved(Element at, String names) {
    List<String> resolved = new ArrayList<>();
    for (String name : names.split("\\s+")) {
      int colon = name.indexOf(':');
      String namespace = at.lookupNamespaceURI(colon < 0 ? null : name.substring(0, colon));
      resolved.add("{" + Objects.requireNonNullElse(namespace, "") + "}" + name.substring(colon + 1));
    }
    return String.join(" ", resolved);
  }

  private static Set<String> differences(Element ours, Element published) {
    Map<String, String> our = components(ours);
    Map<String, String> their = components(published);
    Set<String> all = new TreeSet<>(our.keySet());
    all.addAll(their.keySet());
    all.removeIf(name -> Objects.equals(our.get(name), their.get(name)));
    return all;
  }

  /** What is listed here stands in docs/conformance.md, under Contracts, with its reason. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "bf-2.xsd | complexType BaseFaultType",
        "r-2.xsd |",
        "rp-2.xsd | element QueryResourcePropertiesResponse",
        "t-1.xsd | complexType TopicSetType, complexType TopicType",
        "b-2.xsd |",
        "br-2.xsd |",
        "rw-2.wsdl |",
        "rpw-2.wsdl |",
        "bw-2.wsdl | portType NotificationProducer, portType PausableSubscriptionManager, portType SubscriptionManager",
        "brw-2.wsdl | portType NotificationBroker, portType PublisherRegistrationManager, message ResourceNotDestroyedFault, "
            + "message RegistrationNotDestroyedFault, portType PublisherRegistrationManager operation DestroyRegistration"
      })
  void contractsEqualThePublishedOnesExceptListedDifferences(String file, String differing) throws IOException {
    Set<String> listed = differing == null ? Set.of() : Set.of(differing.split(", "));
    assertEquals(new TreeSet<>(listed), differences(root(OURS + file), root(PUBLISHED + file)));
  }

  @Test
  void differencesAreDetected() throws IOException {
    Element ours = root(OURS + "b-2.xsd");
    Element changed = Elements.children(ours).stream().filter(e -> e.getAttribute("name").equals("Notify")).findFirst().orElseThrow();
    changed.setAttribute("name", "Tell");
    assertEquals(Set.of("element Notify", "element Tell"), differences(ours, root(PUBLISHED + "b-2.xsd")));
  }
}
