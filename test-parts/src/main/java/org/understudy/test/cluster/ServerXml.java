package org.understudy.test.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.apache.catalina.connector.Connector;
import org.apache.tomcat.util.IntrospectionUtils;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.xml.sax.SAXException;

/** {@code conf/server.xml} of this project, for servers in the process of a test. */
final class ServerXml {
  private ServerXml() {}

  /** A connector as in the file, except for its address and port. */
  static Connector connector() throws IOException {
    try {
      Element element =
          (Element)
              DocumentBuilderFactory.newDefaultInstance().newDocumentBuilder().parse(file().toFile())
                  .getElementsByTagName("Connector").item(0);
      Connector connector = new Connector(element.getAttribute("protocol"));
      for (int i = 0; i < element.getAttributes().getLength(); i++) {
        Node attribute = element.getAttributes().item(i);
        String value = attribute.getNodeValue();
        if (!attribute.getNodeName().equals("protocol") && !value.contains("${")
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
