package org.understudy.wsrf.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import jakarta.xml.bind.JAXBContext;
import jakarta.xml.bind.JAXBElement;
import jakarta.xml.bind.Unmarshaller;
import java.io.ByteArrayInputStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.validation.Schema;
import org.apache.cxf.Bus;
import org.apache.cxf.BusFactory;
import org.apache.cxf.tools.common.ToolContext;
import org.apache.cxf.tools.wsdlto.WSDLToJava;
import org.apache.cxf.ws.addressing.EndpointReferenceUtils;
import org.apache.cxf.wsdl11.WSDLServiceFactory;
import org.understudy.container.ServiceCluster;
import org.understudy.container.Wsrf;
import org.understudy.test.cluster.Answer;
import org.w3c.dom.Document;
import org.w3c.dom.Element;

/**
 * Reads resource property documents by what CXF generates from their contracts, with schema validation: what is not declared,
 * or is declared twice, cannot be read.
 */
public final class ReadableDocuments {
  private static final String RP = "http://docs.oasis-open.org/wsrf/rp-2";
  private static final String GET = "<rp:GetResourcePropertyDocument xmlns:rp=\"" + RP + "\"/>";

  private final Path directory;

  /** @param directory for what is generated */
  public ReadableDocuments(Path directory) {
    this.directory = directory;
  }

  /** The id at the end of an address of an endpoint, in an answer. */
  public static String last(Answer answer, String endpoint) {
    assertEquals(200, answer.status(), answer.text());
    return answer.between("/services/" + endpoint + "/", "</wsa:Address>").replaceAll(".*/", "");
  }

  /** Reads the property document at a path. */
  public void check(ServiceCluster site, String path) throws Exception {
    Answer answer = Wsrf.post(site, 1, path, GET);
    assertEquals(200, answer.status(), answer.text());
    String contract = site.uri(1, path) + "?wsdl";
    Path generated = directory.resolve("generated" + path.replace('/', '-'));
    new WSDLToJava(new String[] {"-d", generated.toString(), contract}).run(new ToolContext());
    try (URLClassLoader client = new URLClassLoader(new URL[] {generated.toUri().toURL()}, getClass().getClassLoader())) {
      Unmarshaller reader =
          JAXBContext.newInstance(String.join(":", compile(generated)), client).createUnmarshaller();
      reader.setSchema(schema(contract));
      Object response = reader.unmarshal(property(answer));
      assertNotNull(response instanceof JAXBElement<?> element ? element.getValue() : response, path);
    }
  }

  /** What is in the answer's body. */
  private static Element property(Answer answer) throws Exception {
    DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
    factory.setNamespaceAware(true);
    Document document = factory.newDocumentBuilder().parse(new ByteArrayInputStream(answer.bytes()));
    return (Element) document.getElementsByTagNameNS(RP, "GetResourcePropertyDocumentResponse").item(0);
  }

  /** The schema that a CXF client validates with. */
  private static Schema schema(String contract) {
    Bus bus = BusFactory.newInstance().createBus();
    try {
      return EndpointReferenceUtils.getSchema(
          new WSDLServiceFactory(bus, contract).create().getServiceInfos().get(0), bus);
    } finally {
      bus.shutdown(true);
    }
  }

  /** Compiles what was generated and returns its packages. */
  private static Set<String> compile(Path generated) throws Exception {
    List<String> arguments =
        new ArrayList<>(List.of("-cp", System.getProperty("java.class.path"), "-nowarn", "-proc:none"));
    Set<String> packages = new LinkedHashSet<>();
    try (Stream<Path> files = Files.walk(generated)) {
      for (Path file : files.filter(found -> found.toString().endsWith(".java")).toList()) {
        arguments.add(file.toString());
        if (file.endsWith("ObjectFactory.java")) {
          packages.add(generated.relativize(file.getParent()).toString().replace('/', '.'));
        }
      }
    }
    assertEquals(0, ToolProvider.getSystemJavaCompiler().run(null, null, null, arguments.toArray(new String[0])));
    return packages;
  }
}
