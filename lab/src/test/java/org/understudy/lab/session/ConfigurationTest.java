package org.understudy.lab.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/** What Tomcat reads of each set-up. */
class ConfigurationTest {
  private static final Ports PORTS = Ports.from(8_500);

  private static Document parse(String xml) throws Exception {
    return DocumentBuilderFactory.newInstance().newDocumentBuilder()
        .parse(new ByteArrayInputStream(xml.getBytes(StandardCharsets.UTF_8)));
  }

  private static String plain() throws Exception {
    return Files.readString(Path.of("../conf/server.xml"));
  }

  private static List<Element> elements(Document document, String name) {
    NodeList found = document.getElementsByTagName(name);
    return IntStream.range(0, found.getLength()).mapToObj(i -> (Element) found.item(i)).toList();
  }

  @Test
  void tomcatsClustersAreSynchronousAndKnowTheirMembers() throws Exception {
    for (Setup setup : List.of(Setup.DELTA, Setup.BACKUP)) {
      Document server = parse(new Configuration(setup, PORTS).serverXml(2, plain()));
      Element cluster = elements(server, "Cluster").get(0);
      assertEquals("Engine", cluster.getParentNode().getNodeName());
      assertEquals("6", cluster.getAttribute("channelSendOptions"));
      Element manager = elements(server, "Manager").get(0);
      assertEquals("org.apache.catalina.ha.session." + setup.label(), manager.getAttribute("className"));
      assertEquals(setup == Setup.BACKUP ? "6" : "", manager.getAttribute("mapSendOptions"));
      assertEquals(
          List.of("" + PORTS.peer(setup, 1), "" + PORTS.peer(setup, 3)),
          elements(server, "Member").stream().map(member -> member.getAttribute("port")).toList());
      assertEquals("" + PORTS.peer(setup, 2), elements(server, "Receiver").get(0).getAttribute("port"));
    }
  }

  @Test
  void everySetUpHasTheSameConnector() throws Exception {
    String connector = elements(parse(plain()), "Connector").get(0).getAttributes().getNamedItem("maxThreads").getNodeValue();
    for (Setup setup : Setup.values()) {
      Document server = parse(new Configuration(setup, PORTS).serverXml(1, plain()));
      assertEquals(connector, elements(server, "Connector").get(0).getAttribute("maxThreads"));
      assertEquals(setup.isTomcatCluster() ? 1 : 0, elements(server, "Cluster").size());
    }
    assertThrows(IllegalArgumentException.class, () -> new Configuration(Setup.DELTA, PORTS).serverXml(1, "<Server/>"));
  }

  @Test
  void onlyTheSessionManagerIsInTheContext() throws Exception {
    Element manager = elements(parse(new Configuration(Setup.UNDERSTUDY, PORTS).contextXml(3, "a secret of 16 letters")), "Manager").get(0);
    assertEquals("3", manager.getAttribute("replica"));
    assertEquals("1=127.0.0.1:9511,2=127.0.0.1:9512,3=127.0.0.1:9513", manager.getAttribute("peers"));
    assertEquals("none", manager.getAttribute("journal"));
    Element kept = elements(parse(new Configuration(Setup.JOURNAL, PORTS).contextXml(3, "a secret of 16 letters")), "Manager").get(0);
    assertEquals("disk", kept.getAttribute("journal"));
    assertTrue(elements(parse(new Configuration(Setup.DELTA, PORTS).contextXml(1, "")), "Manager").isEmpty());
  }

  @Test
  void sessionsOfTheBaseAreNotDistributable() throws Exception {
    for (Setup setup : Setup.values()) {
      Document web = parse(new Configuration(setup, PORTS).webXml("a.Servlet"));
      assertEquals(setup == Setup.NONE, elements(web, "distributable").isEmpty(), setup.label());
    }
  }

  @Test
  void noTwoServersShareAPort() {
    Set<Integer> ports = new HashSet<>();
    for (Setup setup : Setup.values()) {
      for (int server = 1; server <= setup.servers(); server++) {
        assertTrue(ports.add(PORTS.http(setup, server)) && ports.add(PORTS.peer(setup, server)));
      }
    }
    assertFalse(ports.stream().anyMatch(port -> port < 8_500 || port > 9_550));
  }
}
