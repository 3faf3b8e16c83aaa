package org.understudy.wsrf.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import javax.xml.XMLConstants;
import javax.xml.namespace.QName;
import javax.xml.transform.Source;
import javax.xml.transform.dom.DOMSource;
import javax.xml.transform.stream.StreamSource;
import javax.xml.validation.Schema;
import javax.xml.validation.SchemaFactory;
import javax.xml.validation.Validator;
import org.apache.cxf.tools.common.ToolContext;
import org.apache.cxf.tools.wsdlto.WSDLToJava;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.understudy.container.ServiceCluster;
import org.understudy.container.service.NotebookService;
import org.understudy.soap.xml.Elements;
import org.understudy.test.network.NoInternet;
import org.understudy.wsrf.operation.Endpoint;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.xml.sax.SAXException;

class PublishedContractsTest {
  private static NoInternet network;
  private static Gallery gallery;
  private static ContractSite site;
  @TempDir private static Path base;
  @TempDir private Path directory;

  @BeforeAll
  static void publish() throws Exception {
    gallery = new Gallery();
    site = new ContractSite(base, gallery.contracts, gallery.endpoints);
    network = new NoInternet();
  }

  @AfterAll
  static void close() throws Exception {
    network.close();
    site.close();
    gallery.close();
  }

  static List<String> names() {
    return Gallery.NAMES;
  }

  @ParameterizedTest
  @MethodSource("names")
  void aClientOfEveryContractIsGeneratedAndCompilesWithoutLeavingTheMachine(String name) throws Exception {
    network.forget();
    new WSDLToJava(new String[] {"-d", directory.toString(), site.uri(name) + "?wsdl"}).run(new ToolContext());
    try (Stream<Path> files = Files.walk(directory)) {
      List<String> java = files.map(Path::toString).filter(file -> file.endsWith(".java")).toList();
      assertFalse(java.isEmpty());
      String[] arguments =
          Stream.concat(Stream.of("-cp", System.getProperty("java.class.path"), "-nowarn", "-proc:none"), java.stream())
              .toArray(String[]::new);
      assertEquals(0, ToolProvider.getSystemJavaCompiler().run(null, null, null, arguments));
    }
    assertEquals(List.of(), network.elsewhere());
  }

  @ParameterizedTest
  @MethodSource("names")
  void everyContractIsCleanUnderABasicProfileRead(String name) {
    String here = site.uri(name).toString();
    assertEquals(List.of(), BasicProfile.violations(
        here + "?wsdl",
        location -> location.startsWith(here + "?") ? fetched(location.substring(here.length() - name.length())) : null,
        (from, text) -> text));
  }

  @ParameterizedTest
  @ValueSource(strings = {
    "counter.wsdl", "standard/rw-2.wsdl", "standard/rpw-2.wsdl", "standard/rlw-2.wsdl",
    "standard/sgw-2.wsdl", "standard/bw-2.wsdl", "standard/brw-2.wsdl"
  })
  void everyContractInTheJarIsCleanUnderABasicProfileRead(String name) {
    assertEquals(List.of(), BasicProfile.violations(
        name,
        PublishedContractsTest::inJar,
        (from, text) -> {
          assertTrue(text.matches("[\\w./-]+"), text);
          return URI.create(from).resolve(text).toString();
        }));
  }

  @Test
  void theBasicProfileReadFindsWhatIsWrong() throws Exception {
    String bad = """
        <definitions xmlns="http://schemas.xmlsoap.org/wsdl/" xmlns:s="http://schemas.xmlsoap.org/wsdl/soap/"
            xmlns:t="urn:t" targetNamespace="urn:t">
          <types><schema xmlns="http://www.w3.org/2001/XMLSchema"><element name="a"/></schema></types>
          <import namespace="urn:other" location="other.wsdl"/>
          <message name="m"><part name="a" element="t:a"/><part name="b" type="t:b"/></message>
          <portType name="p">
            <operation name="o"><input message="t:m"/><fault name="f" message="t:m"/></operation>
            <operation name="o"><input message="t:m"/></operation>
            <operation name="q"><input message="t:m"/></operation>
          </portType>
          <binding name="b" type="t:p">
            <s:binding transport="http://schemas.xmlsoap.org/soap/http" style="rpc"/>
            <operation name="o"><s:operation soapAction="x"/><input><s:body use="encoded"/></input></operation>
          </binding>
          <service name="x"><port name="y" binding="t:b"/></service>
        </definitions>
        """;
    List<String> found = BasicProfile.violations("bad.wsdl", location -> {
      try {
        return Xml.read(new ByteArrayInputStream(bad.getBytes(StandardCharsets.UTF_8)));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }, (from, text) -> text);
    for (String requirement : List.of("R2023", "R2005", "R2105", "R2201", "R2204", "R2206", "R2304", "without an action",
        "declared nowhere", "R2705", "R2718", "soapAction", "R2740", "R2706", "R2711")) {
      assertTrue(found.stream().anyMatch(violation -> violation.contains(requirement)), requirement + " in " + found);
    }
  }

  @Test
  void theSchemasOfTheStandardsAreValidTogether() throws Exception {
    List<Source> sources = new ArrayList<>();
    for (String name : List.of("r-2", "rp-2", "rl-2", "sg-2", "bf-2", "b-2", "br-2", "t-1", "ws-addr", "xml", "xmlmime", "swaref")) {
      sources.add(new StreamSource(
          PublishedContractsTest.class.getResource("/wsdl/standard/" + name + ".xsd").toString()));
    }
    SchemaFactory factory = SchemaFactory.newDefaultInstance();
    factory.setProperty(XMLConstants.ACCESS_EXTERNAL_SCHEMA, "jar:file,file");
    Schema schema = factory.newSchema(sources.toArray(Source[]::new));
    Validator validator = schema.newValidator();
    for (String content : List.of("", "<c:C xmlns:c='urn:c'/>", "<c/>", "<s:RPDoc><c/></s:RPDoc><c:C xmlns:c='urn:c'/>")) {
      validator.validate(xml("<s:Add xmlns:s='" + Gallery.SG + "' xmlns:a='http://www.w3.org/2005/08/addressing'>"
          + "<s:MemberEPR><a:Address>urn:m</a:Address></s:MemberEPR><s:Content>" + content + "</s:Content>"
          + "<s:InitialTerminationTime>PT1H</s:InitialTerminationTime></s:Add>"));
    }
    assertThrows(SAXException.class, () -> validator.validate(xml("<s:Add xmlns:s='" + Gallery.SG + "'/>")));
    Validator topics = schema.newValidator();
    topics.validate(xml("<t:TopicNamespace xmlns:t='http://docs.oasis-open.org/wsn/t-1' targetNamespace='urn:t'>"
        + "<t:Topic name='a'><t:Topic name='b'/></t:Topic></t:TopicNamespace>"));
    assertThrows(SAXException.class, () -> topics.validate(
        xml("<t:TopicNamespace xmlns:t='http://docs.oasis-open.org/wsn/t-1' targetNamespace='urn:t'>"
            + "<t:Topic name='a'/><t:Topic name='a'/></t:TopicNamespace>")));
  }

  @Test
  void standardOperationsStandInTheServicesPortTypeAndInEachBinding() throws Exception {
    Document wsdl = fetched("Counter?wsdl");
    Element portType = Xml.all(wsdl, Xml.WSDL, "portType").get(0);
    Set<String> expected = new TreeSet<>(List.of("createCounter", "add", "getValue", "Destroy", "SetTerminationTime",
        "Subscribe", "GetCurrentMessage"));
    expected.addAll(List.of(Gallery.PROPERTIES));
    assertEquals(expected, operations(portType));
    List<Element> bindings = Xml.all(wsdl, Xml.WSDL, "binding").stream().filter(found ->
        found.getParentNode() == wsdl.getDocumentElement() && found.getNamespaceURI().equals(Xml.WSDL)).toList();
    assertEquals(2, bindings.size());
    for (Element binding : bindings) {
      assertEquals(expected, operations(binding));
    }
    assertEquals(new QName("http://counter.com", "CounterProperties"), Xml.name(portType,
        portType.getAttributeNodeNS(Xml.WSRF_RP, "ResourceProperties").getName()));
    Element destroy = Xml.children(portType, Xml.WSDL, "operation").stream()
        .filter(operation -> operation.getAttribute("name").equals("Destroy")).findFirst().orElseThrow();
    assertEquals("http://docs.oasis-open.org/wsrf/rlw-2/ImmediateResourceTermination/DestroyRequest",
        Elements.children(destroy).get(0).getAttributeNS(Xml.WSAM, "Action"));
    assertEquals(List.of("ResourceUnknownFault", "ResourceUnavailableFault", "ResourceNotDestroyedFault"),
        Xml.children(destroy, Xml.WSDL, "fault").stream().map(fault -> fault.getAttribute("name")).toList());
  }

  @Test
  void servicesOperationsAreKeptBesideStandardOnes() throws Exception {
    try (ServiceCluster replica = ServiceCluster.shared(NotebookService.class, 1, Map.of());
        var in = replica.uri(1, replica.service() + "?wsdl").toURL().openStream()) {
      Document wsdl = Xml.read(in);
      Set<String> told = operations(Xml.all(wsdl, Xml.WSDL, "portType").get(0));
      assertTrue(told.containsAll(Set.of("append", "appendSlowly", "clear", "note", "refuse", "stumble", "text")), told::toString);
      assertTrue(told.containsAll(Set.of("GetResourceProperty", "Destroy", "SetTerminationTime")), told::toString);
      assertEquals(replica.uri(1, replica.service()).toString(),
          Xml.all(wsdl, Xml.SOAP11, "address").get(0).getAttribute("location"));
    }
  }

  /** Some tools look a port type or a message up by its local name, and find another one, or refuse the contract. */
  @ParameterizedTest
  @MethodSource("names")
  void aContractAndItsImportsHaveEachLocalNameOnce(String name) {
    Queue<String> open = new ArrayDeque<>(List.of(name + "?wsdl"));
    Set<String> read = new TreeSet<>();
    Set<String> seen = new TreeSet<>();
    while (!open.isEmpty()) {
      String location = open.remove();
      if (read.add(location)) {
        Document document = fetched(location);
        for (String kind : List.of("portType", "message")) {
          for (Element declared : Xml.children(document.getDocumentElement(), Xml.WSDL, kind)) {
            assertTrue(seen.add(kind + " " + declared.getAttribute("name")), kind + " " + declared.getAttribute("name"));
          }
        }
        for (Element imported : Xml.children(document.getDocumentElement(), Xml.WSDL, "import")) {
          String query = imported.getAttribute("location");
          open.add(name + query.substring(query.indexOf('?')));
        }
      }
    }
    assertTrue(read.size() > 1, read::toString);
  }

  @Test
  void thePortTypesOfAServiceGroupAreReadByGetResourceProperty() {
    Document document = new StandardContracts().document("wsdl=sgw-2.wsdl");
    for (Element portType : Xml.children(document.getDocumentElement(), Xml.WSDL, "portType")) {
      assertEquals(
          "GetResourceProperty", Xml.children(portType, Xml.WSDL, "operation").get(0).getAttribute("name"),
          portType.getAttribute("name"));
    }
  }

  @Test
  void theFirstPortIsTheOneThatTheServiceNames() throws Exception {
    assertEquals(List.of("CounterPort", "CounterPort12"),
        Xml.all(fetched("Counter?wsdl"), Xml.WSDL, "port").stream().map(port -> port.getAttribute("name")).toList());
  }

  @Test
  void thePropertyDocumentIsDeclaredWithTheServicesAndTheStandardsProperties() throws Exception {
    Validator validator = schema("Counter").newValidator();
    String document = "<c:CounterProperties xmlns:c='http://counter.com'><c:Value>%s</c:Value>"
        + "<l:Label xmlns:l='urn:elsewhere'>a</l:Label><l:Label xmlns:l='urn:elsewhere'>b</l:Label>"
        + "<q:QueryExpressionDialect xmlns:q='" + Gallery.RP + "'>urn:d</q:QueryExpressionDialect>"
        + "<r:CurrentTime xmlns:r='" + Gallery.RL + "'>2026-01-01T00:00:00Z</r:CurrentTime>"
        + "<r:TerminationTime xmlns:r='" + Gallery.RL + "' xmlns:i='http://www.w3.org/2001/XMLSchema-instance'"
        + " i:nil='true'/><b:FixedTopicSet xmlns:b='" + Gallery.B + "'>true</b:FixedTopicSet></c:CounterProperties>";
    validator.validate(xml(document.formatted("13")));
    assertThrows(SAXException.class, () -> validator.validate(xml(document.formatted("many"))));
  }

  @Test
  void anOperationThatTheServiceDeclaresItselfIsNotAddedTwice() {
    var documents = ServiceDocuments.of("Own", new QName("urn:own", "Own"));
    StandardContracts standards = new StandardContracts();
    Composition first = new Composition(documents, standards, new QName("urn:own", "Own"));
    Set<QName> destroy = Set.of(new QName(Gallery.RL, "Destroy"));
    first.add(destroy);
    new Composition(documents, standards, new QName("urn:own", "Own")).add(destroy);
    assertEquals(1, Elements.children(Xml.all(documents.get("wsdl"), Xml.WSDL, "portType").get(0)).size());
  }

  @Test
  void servicesCopyOfAStandardSchemaIsReplaced() {
    var documents = ServiceDocuments.of("Own", new QName("urn:own", "Own"));
    Document copy = new StandardContracts().document("xsd=ws-addr.xsd");
    documents.put("xsd=types/addressing.xsd", copy);
    Element types = Xml.append(documents.get("wsdl").getDocumentElement(), copy.getDocumentElement(), "schema");
    Element addressing = Xml.append(types, types, "import");
    addressing.setAttribute("namespace", copy.getDocumentElement().getAttribute("targetNamespace"));
    new Reference(addressing, "schemaLocation").pointTo("xsd=types/addressing.xsd");
    new Composition(documents, new StandardContracts(), new QName("urn:own", "Own"));
    assertEquals(Set.of("wsdl"), documents.keySet());
    assertEquals(Reference.HERE + "?xsd=ws-addr.xsd", addressing.getAttribute("schemaLocation"));
  }

  @Test
  void conflictingDocumentOfAStandardsNameIsRefused() {
    var documents = ServiceDocuments.of("Own", new QName("urn:own", "Own"));
    documents.put("xsd=b-2.xsd", documents.get("wsdl"));
    StandardContracts standards = new StandardContracts();
    QName portType = new QName("urn:own", "Own");
    assertTrue(assertThrows(IllegalStateException.class, () -> new Composition(documents, standards, portType))
        .getMessage().contains("b-2.xsd"));
  }

  @Test
  void generatedContractDeclaresItsActions() {
    Element refuse = Elements.children(Xml.all(fetched("Notebook?wsdl"), Xml.WSDL, "portType").get(0)).stream()
        .filter(operation -> operation.getAttribute("name").equals("refuse")).findFirst().orElseThrow();
    assertEquals(
        List.of("urn:notebook:Notebook:refuse", "urn:notebook:Notebook:refuseResponse",
            "urn:notebook:Notebook:refuse:Fault:RefusedException"),
        Elements.children(refuse).stream().map(message -> message.getAttributeNS(Xml.WSAM, "Action")).toList());
  }

  @Test
  void aServicesOperationOfTheSameNameIsRefusedWithASentence() {
    var documents = ServiceDocuments.of("Own", new QName("urn:own", "Own"));
    Element portType = Xml.all(documents.get("wsdl"), Xml.WSDL, "portType").get(0);
    Xml.append(portType, portType, "operation").setAttribute("name", "Destroy");
    Composition composition = new Composition(documents, new StandardContracts(), new QName("urn:own", "Own"));
    Set<QName> destroy = Set.of(new QName(Gallery.RL, "Destroy"));
    assertTrue(assertThrows(IllegalStateException.class, () -> composition.add(destroy)).getMessage().contains("Destroy"));
  }

  @Test
  void anOperationThatNoStandardKnowsIsNotPublished() throws Exception {
    Endpoint endpoint = new Endpoint("/services/Odd", "");
    Gallery.operations(endpoint, "urn:odd", "Odd");
    gallery.contracts.add(endpoint, null);
    try (ContractSite odd = new ContractSite(directory, gallery.contracts, List.of(endpoint))) {
      assertFalse(odd.get("Odd?wsdl").body().contains("urn:odd"));
    }
  }

  @Test
  void everyPortHasTheAddressByWhichTheContractIsAskedFor() throws Exception {
    for (String path : List.of("Counter", "Counter/0123456789abcdef")) {
      String wsdl = site.get(path + "?wsdl").body();
      Document document = Xml.read(new ByteArrayInputStream(wsdl.getBytes(StandardCharsets.UTF_8)));
      List<String> addresses = Stream.of(Xml.SOAP11, Xml.SOAP12)
          .flatMap(soap -> Xml.all(document, soap, "address").stream())
          .map(address -> address.getAttribute("location")).toList();
      assertEquals(List.of(site.uri(path).toString(), site.uri(path).toString()), addresses);
      assertFalse(wsdl.contains(Reference.HERE));
    }
    assertTrue(raw("Host: counters.example:8443\r\n").contains("\"http://counters.example:8443/app/services/Counter\""));
    assertTrue(raw("").contains("\"http://replica.example:8080/app/services/Counter\""));
  }

  @Test
  void onlyDocumentsOfTheContractAreServed() throws Exception {
    for (String none : List.of("xsd=../counter.wsdl", "xsd=nothing.xsd", "wsdl=%zz", "xsd", "xsd=%00")) {
      assertEquals(404, site.get("Counter?" + none.replace("%zz", "%25zz")).statusCode(), none);
    }
    assertEquals(405, site.get("Counter").statusCode());
    HttpResponse<String> head = site.head("Counter?WSDL");
    assertEquals(200, head.statusCode());
    assertEquals("", head.body());
    assertEquals(site.get("Counter?wsdl").body().getBytes(StandardCharsets.UTF_8).length,
        Integer.parseInt(head.headers().firstValue("Content-Length").orElseThrow()));
  }

  /** The inline schemas of a contract and what they import. */
  private static Schema schema(String name) throws Exception {
    List<Source> sources = new ArrayList<>();
    for (Element schema : Xml.all(fetched(name + "?wsdl"), Xml.XSD, "schema")) {
      sources.add(new DOMSource(schema, site.uri(name) + "?wsdl"));
    }
    SchemaFactory factory = SchemaFactory.newDefaultInstance();
    factory.setProperty(XMLConstants.ACCESS_EXTERNAL_SCHEMA, "http");
    return factory.newSchema(sources.toArray(Source[]::new));
  }

  private static Set<String> operations(Element of) {
    return Xml.children(of, Xml.WSDL, "operation").stream().map(operation -> operation.getAttribute("name"))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static Source xml(String text) {
    return new StreamSource(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)));
  }

  private static Document fetched(String path) {
    try {
      HttpResponse<String> response = site.get(path);
      return response.statusCode() == 200
          ? Xml.read(new ByteArrayInputStream(response.body().getBytes(StandardCharsets.UTF_8)))
          : null;
    } catch (Exception e) {
      throw new IllegalStateException(path, e);
    }
  }

  private static Document inJar(String name) {
    try (var in = PublishedContractsTest.class.getResourceAsStream("/wsdl/" + name)) {
      return in == null ? null : Xml.read(in);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** By HTTP/1.0, where a client need not say whom it calls. */
  private static String raw(String headers) throws IOException {
    try (Socket socket = new Socket("127.0.0.1", site.port())) {
      socket.getOutputStream().write(
          ("GET /app/services/Counter?wsdl HTTP/1.0\r\n" + headers + "\r\n").getBytes(StandardCharsets.US_ASCII));
      return new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8)).lines()
          .collect(Collectors.joining("\n"));
    }
  }
}
