package org.understudy.test.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.regex.Pattern;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.apache.catalina.connector.Connector;
import org.apache.tomcat.util.IntrospectionUtils;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.xml.sax.SAXException;

/** {@code conf/server.xml} of this project, for servers in the process of a test. */
final class ServerXml {
  /** What a test sets itself, or has by the constructor. */
  private static final Set<String> OF_TESTS = Set.of("address", "port", "protocol", "maxThreads", "minSpareThreads");

  /** A system property, with its default. */
  private static final Pattern PROPERTY = Pattern.compile("\\$\\{[^:}]+:-([^}]*)\\}");

  private ServerXml() {}

  /** A connector as in the file, with the defaults of system properties, except for its address, port and threads. */
  static Connector connector() throws IOException {
    try {
      Element element =
          (Element)
              DocumentBuilderFactory.newDefaultInstance().newDocumentBuilder().parse(file().toFile())
                  .getElementsByTagName("Connector").item(0);
      Connector connector = new Connector(element.getAttribute("protocol"));
      for (int i = 0; i < element.getAttributes().getLength(); i++) {
        Node attribute = element.getAttributes().item(i);
        String value = PROPERTY.matcher(attribute.getNodeValue()).replaceFirst("$1");
        if (!OF_TESTS.contains(attribute.getNodeName())
            && !IntrospectionUtils.setProperty(connector, attribute.getNodeName(), value)) {
          throw new IOException("The connector has no attribute " + attribute.getNodeName() + ".");
        }
      }
      return connector;
    } catch (ParserConfigurationException | SAXException e) {
      throw new IOException("conf/server.xml cannot be read.", e);
    }
  }

  /** A module's tests run in its directory. */
  private static Path file() throws IOException {
    for (Path at = Path.of("").toAbsolutePath(); at != null; at = at.getParent()) {
      Path file = at.resolve("conf/server.xml");
      if (Files.exists(file)) {
        return file;
      }
    }
    throw new IOException("No directory above " + Path.of("").toAbsolutePath() + " has conf/server.xml.");
  }
}
