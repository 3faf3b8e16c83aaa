package org.understudy.durability.mapping;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import org.codehaus.stax2.XMLStreamReader2;

/**
 * An element of a mapping.
 *
 * @param name without the namespace, which is that of mappings
 * @param attributes in the order of the file
 * @param text all that is not in children, with the white space of the file
 */
record XmlElement(Place place, String name, Map<String, String> attributes, List<XmlElement> children, String text) {
  static final String NAMESPACE = "urn:understudy:durability:1";
  /** Attributes that tell an element from others of its name, the best first. */
  private static final List<String> IDENTIFYING = List.of("method", "name", "class", "query", "service");
  private static final int MAX_SHOWN = 60;

  /** Reads the element at which the reader stands, to its end. */
  static XmlElement read(String file, XMLStreamReader2 in, List<MappingProblem> problems) throws XMLStreamException {
    Map<String, String> attributes = new LinkedHashMap<>();
    List<String> foreign = new ArrayList<>();
    for (int i = 0; i < in.getAttributeCount(); i++) {
      String namespace = in.getAttributeNamespace(i);
      if (namespace == null || namespace.isEmpty()) {
        attributes.put(in.getAttributeLocalName(i), in.getAttributeValue(i));
      } else if (!namespace.equals("http://www.w3.org/2001/XMLSchema-instance")) {
        foreign.add(in.getAttributeLocalName(i));
      }
    }
    String name = in.getLocalName();
    Place place = new Place(
        file, in.getLocationInfo().getStartLocation().getLineNumber(), in.getLocationInfo().getStartLocation().getColumnNumber(),
        tag(name, attributes));
    if (!NAMESPACE.equals(in.getNamespaceURI())) {
      problems.add(new MappingProblem(place, "The element is not in the namespace " + NAMESPACE + "."));
    }
    foreign.forEach(each -> problems.add(new MappingProblem(place, "The attribute " + each + " is in an unknown namespace.")));
    List<XmlElement> children = new ArrayList<>();
    StringBuilder text = new StringBuilder();
    while (true) {
      switch (in.next()) {
        case XMLStreamConstants.START_ELEMENT -> children.add(read(file, in, problems));
        case XMLStreamConstants.CHARACTERS, XMLStreamConstants.CDATA, XMLStreamConstants.SPACE -> text.append(in.getText());
        case XMLStreamConstants.END_ELEMENT -> {
          return new XmlElement(place, name, attributes, children, text.toString());
        }
        default -> {
          // Comments and processing instructions.
        }
      }
    }
  }

  private static String tag(String name, Map<String, String> attributes) {
    return IDENTIFYING.stream()
        .filter(attributes::containsKey)
        .findFirst()
        .map(attribute -> "<" + name + " " + attribute + "=\"" + shortened(attributes.get(attribute)) + "\">")
        .orElse("<" + name + ">");
  }

  private static String shortened(String value) {
    String line = value.replaceAll("\\s+", " ");
    return line.length() > MAX_SHOWN ? line.substring(0, MAX_SHOWN) + "…" : line;
  }
}
