package org.understudy.container.style;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import jakarta.jws.WebParam;
import jakarta.jws.WebResult;
import jakarta.jws.WebService;
import jakarta.jws.soap.SOAPBinding;
import jakarta.xml.ws.Holder;
import java.io.ByteArrayOutputStream;
import java.lang.reflect.Method;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.cxf.tools.common.ToolContext;
import org.apache.cxf.tools.wsdlto.WSDLToJava;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.understudy.client.FaultTolerant;
import org.understudy.container.ServiceCluster;
import org.understudy.container.Soap;
import org.understudy.test.cluster.Answer;
import org.understudy.test.strategy.RollbackStrategy;

/** Services of every style answer as CXF alone does, and their answers are stored and survive their replica. */
class StyleHttpTest {
  private static final String XML = "text/xml; charset=UTF-8";
  private static final String MULTIPART = "multipart/related; boundary=parts; start=\"<root>\"; start-info=\"text/xml\"; type=\"";
  private static final String SWA = MULTIPART + "text/xml\"";

  @TempDir private Path directory;

  /**
   * A request of one style.
   *
   * @param headers of SOAP
   * @param action of HTTP, or null
   */
  private record Style(Class<? extends Counted> service, String type, String action, String headers, String body) {
    byte[] request(String more) {
      String envelope = Soap.envelope(headers + more, body);
      if (!type.startsWith("multipart")) {
        return envelope.getBytes(StandardCharsets.UTF_8);
      }
      String root = type.contains("xop") ? "application/xop+xml; charset=UTF-8; type=\"text/xml\"" : XML;
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      out.writeBytes(("--parts\r\nContent-Type: " + root + "\r\nContent-ID: <root>\r\n\r\n" + envelope
          + "\r\n--parts\r\nContent-Type: application/octet-stream\r\nContent-Transfer-Encoding: binary\r\n"
          + "Content-ID: <data>\r\n\r\n").getBytes(StandardCharsets.UTF_8));
      for (int i = 0; i < 5_000; i++) {
        out.write(i);
      }
      out.writeBytes("\r\n--parts--\r\n".getBytes(StandardCharsets.UTF_8));
      return out.toByteArray();
    }

    String[] head() {
      return action == null ? new String[] {type} : new String[] {type, "SOAPAction", '"' + action + '"'};
    }

    @Override
    public String toString() {
      return service.getSimpleName() + (action == null ? "" : " " + action) + " " + type.replaceAll(";.*", "");
    }
  }

  private static final String NIL = " xmlns:i='http://www.w3.org/2001/XMLSchema-instance' i:nil='true'";

  private static Style xml(Class<? extends Counted> service, String body) {
    return new Style(service, XML, null, "", body);
  }

  static Stream<Style> updates() {
    return Stream.of(
        xml(Styles.Rpc.class, "<r:add xmlns:r='urn:rpc'><by>3</by><why>so</why></r:add>"),
        new Style(Styles.Bare.class, XML, "urn:bare:next", "", ""),
        xml(Styles.Bare.class, "<b:add xmlns:b='urn:bare'>4</b:add>"),
        xml(Styles.Alone.class, ""),
        new Style(Styles.Same.class, XML, "urn:same:put", "", "<s:number xmlns:s='urn:same'>5</s:number>"),
        new Style(
            Styles.Headed.class, XML, null, "<h:token xmlns:h='urn:headed'>a &lt; b</h:token>",
            "<h:stamp xmlns:h='urn:headed'><what>it</what></h:stamp>"),
        xml(Styles.Held.class, "<h:extend xmlns:h='urn:held'><text>a</text></h:extend>"),
        xml(Styles.Validated.class, "<v:add xmlns:v='urn:validated'><by>6</by></v:add>"),
        new Style(
            Styles.Optimized.class, MULTIPART + "application/xop+xml\"", null, "",
            "<m:echo xmlns:m='urn:mtom'><bytes><x:Include xmlns:x='http://www.w3.org/2004/08/xop/include' href='cid:data'/></bytes>"
                + "</m:echo>"),
        new Style(
            Styles.Attached.class, SWA, null, "", "<a:echo xmlns:a='urn:swa'><data>cid:data</data></a:echo>"),
        xml(Styles.Payload.class, "<p:any xmlns:p='urn:payload'>text</p:any>"),
        xml(Styles.Message.class, "<p:number xmlns:p='urn:message'>1</p:number>"),
        xml(Styles.Whole.class, "<p:number xmlns:p='urn:saaj'>1</p:number>"),
        new Style(Styles.Whole.class, SWA, null, "", "<p:number xmlns:p='urn:saaj'>1</p:number>"));
  }

  private static final Map<Class<?>, Class<? extends Counted>> HANDLED = Map.of(
      Styles.Rpc.class, HandledStyles.HandledRpc.class,
      Styles.Bare.class, HandledStyles.HandledBare.class,
      Styles.Same.class, HandledStyles.HandledSame.class,
      Styles.Held.class, HandledStyles.HandledHeld.class,
      Styles.Headed.class, HandledStyles.HandledHeaded.class,
      Styles.Payload.class, HandledStyles.HandledPayload.class,
      Styles.Message.class, HandledStyles.HandledMessage.class,
      Styles.Whole.class, HandledStyles.HandledWhole.class);

  /** The same with a handler. */
  static Stream<Style> handledUpdates() {
    return updates()
        .filter(style -> HANDLED.containsKey(style.service()))
        .map(style -> new Style(HANDLED.get(style.service()), style.type(), style.action(), style.headers(), style.body()));
  }

  @ParameterizedTest
  @MethodSource({"updates", "handledUpdates"})
  void theAnswerIsCxfsAndSurvivesItsReplica(Style style) throws Exception {
    String[] expected = new String[3];
    try (ServiceCluster site = new ServiceCluster(directory, style.service(), 3, Map.of())) {
      Path plain = Files.createDirectories(directory.resolve("plain"));
      try (PlainCxf cxf = new PlainCxf(plain, style.service().getDeclaredConstructor().newInstance())) {
        for (int i = 0; i < expected.length; i++) {
          expected[i] = content(site.post(0, cxf.url(), style.request(""), style.head()));
        }
      }
      assertNotEquals(expected[0], expected[1], "an update");
      int primary = site.primary();
      assertEquals(expected[0], content(post(site, primary, style, "urn:first")));
      assertEquals(expected[0], content(post(site, primary, style, "urn:first")), "again");
      assertEquals(expected[1], content(post(site, site.backup(), style, "urn:second")), "forwarded");
      site.stop(primary);
      assertEquals(expected[0], content(post(site, site.primary(), style, "urn:first")), "at another replica");
      assertEquals(expected[2], content(post(site, site.primary(), style, "urn:third")));
    }
  }

  /** A service sets holders that CXF has made of the request. */
  @Test
  void aRolledBackExecutionGetsTheParametersOfTheRequestAgain() throws Exception {
    Map<String, String> settings = Map.of("understudy.strategy", RollbackStrategy.NAME);
    long rollbacks = RollbackStrategy.rollbacks();
    try (ServiceCluster site = new ServiceCluster(directory, HandledStyles.HandledHeld.class, 3, settings)) {
      Style style = xml(HandledStyles.HandledHeld.class, "<h:extend xmlns:h='urn:held'><text>a</text></h:extend>");
      for (int i = 1; i <= 20; i++) {
        String answer = content(post(site, site.primary(), style, "urn:held:" + i));
        assertTrue(answer.contains("<text>a/" + i + "</text>"), answer);
      }
      assertTrue(RollbackStrategy.rollbacks() > rollbacks);
    }
  }

  private static Answer post(ServiceCluster site, int replica, Style style, String id) {
    return site.post(replica, site.service(), style.request(Soap.messageId(id)), style.head());
  }

  /** Status, header blocks of the service, content of the Body, and attachments. */
  private static String content(Answer answer) {
    String text = new String(answer.bytes(), StandardCharsets.ISO_8859_1);
    Matcher envelope = Pattern.compile("(?s)<([\\w-]+):Envelope([^>]*)>(.*)</\\1:Envelope>(.*)").matcher(text);
    assertTrue(envelope.find(), answer.status() + " " + text);
    String soap = envelope.group(1);
    Matcher body = Pattern.compile("(?s)<" + soap + ":Body(?:/>|>(.*)</" + soap + ":Body>)").matcher(envelope.group(3));
    assertTrue(body.find(), text);
    Matcher header = Pattern.compile("(?s)<" + soap + ":Header>(.*)</" + soap + ":Header>").matcher(envelope.group(3));
    String blocks = !header.find() ? "" : header.group(1)
        .replaceAll("(?s)<ur:ReplicationHeader.*</ur:ReplicationHeader>", "")
        .replaceAll("(?s)<(wsa:\\w+) .*?</\\1>", "");
    // A prefix may be declared on the envelope or where it is used.
    String content = (blocks + "|" + Objects.toString(body.group(1), ""))
        .replaceAll(" xmlns:[\\w-]+=([\"']).*?\\1", "").replaceAll("cid:[^\"<]*", "cid:")
        .replace("&gt;", ">");
    String parts = envelope.group(4).replaceAll("(?s)\r\n--.*?\r\n\r\n", "|").replaceAll("(?s)\r\n--[^\r]*--\\s*$", "");
    return answer.status() + " " + content + " " + parts.hashCode() + " of " + parts.length();
  }

  @Test
  void anUpdateIsNeverExecutedAsARead() throws Exception {
    try (ServiceCluster site = new ServiceCluster(directory, Styles.Same.class, 3, Map.of())) {
      String number = "<s:number xmlns:s='urn:same'>5</s:number>";
      String action = "<a:Action xmlns:a='http://www.w3.org/2005/08/addressing'>";
      Style both = new Style(Styles.Same.class, XML, "urn:same:compare", action + "urn:same:put</a:Action>", number);
      Style none = xml(Styles.Same.class, number);
      Style unknown = new Style(Styles.Same.class, XML, "urn:same:other", "", number);
      for (Style wrong : new Style[] {both, none, unknown}) {
        Answer refused = post(site, site.primary(), wrong, "urn:wrong");
        assertEquals(500, refused.status());
        String reason = wrong == both ? "The request has the wsa:Action urn:same:put" : "The Body fits the operations";
        assertTrue(refused.text().contains(reason), refused.text());
      }
      Style read = new Style(Styles.Same.class, XML, "urn:same:compare", "", number);
      assertTrue(post(site, site.primary(), read, "urn:read").body().contains(">-5<"));
      Style put = new Style(Styles.Same.class, XML, null, action + "urn:same:put</a:Action>", number);
      assertTrue(post(site, site.backup(), put, "urn:put").body().contains(">5<"), "forwarded by wsa:Action");
      // One identity and one Body, and another operation.
      Style other = new Style(Styles.Same.class, XML, "urn:same:put", "", number);
      assertTrue(post(site, site.primary(), other, "urn:put").body().contains(">5<"));
      assertTrue(post(site, site.primary(), read, "urn:read").body().contains(">0<"), "what was read counts for nothing");
    }
  }

  @Test
  void anOperationWithNothingInTheBodyNeedsItsAction() throws Exception {
    try (ServiceCluster site = new ServiceCluster(directory, Styles.Bare.class, 1, Map.of())) {
      Answer refused = post(site, 1, xml(Styles.Bare.class, ""), "urn:none");
      assertTrue(refused.text().contains("The Body fits the operations"), refused.text());
      String soap12 = Soap.envelope(Soap.SOAP12, "", "");
      Answer next =
          site.post(1, site.service(), soap12.getBytes(StandardCharsets.UTF_8), "application/soap+xml; action=\"urn:bare:next\"");
      assertTrue(next.text().contains(">1<"), next.text());
      Answer last = post(site, 1, new Style(Styles.Bare.class, XML, "urn:bare:last", "", ""), "urn:last");
      assertTrue(last.text().contains(">1<"), last.text());
    }
  }

  @ParameterizedTest
  @ValueSource(classes = {Styles.Rpc.class, HandledStyles.HandledRpc.class})
  void partsOfRpcAreCheckedLikeElements(Class<? extends Counted> service) throws Exception {
    try (ServiceCluster site = new ServiceCluster(directory, service, 1, Map.of())) {
      for (String by : new String[] {"<by>many</by>", "<by>99999999999</by>", "<by/>", "", "<by" + NIL + "/>"}) {
        Style wrong = xml(service, "<r:add xmlns:r='urn:rpc'>" + by + "<why>so</why></r:add>");
        Answer refused = post(site, 1, wrong, "urn:" + by.length());
        assertEquals(500, refused.status(), by);
      }
      Answer total = post(site, 1, xml(service, "<r:total xmlns:r='urn:rpc'/>"), "urn:total");
      assertTrue(total.text().contains(">0<"), total.text());
    }
  }

  @Test
  void elementsInsideAPartOfRpcMayHaveANamespace() throws Exception {
    try (ServiceCluster site = new ServiceCluster(directory, Styles.Rpc.class, 1, Map.of())) {
      String place = "<r:place xmlns:r='urn:rpc'><by>3</by><area><a:corner xmlns:a='urn:area'>%s</a:corner></area></r:place>";
      for (String wrong : new String[] {"", "<a:x" + NIL + "/>", "<x>4</x>"}) {
        Answer refused = post(site, 1, xml(Styles.Rpc.class, place.formatted(wrong)), "urn:" + wrong.length());
        assertEquals(500, refused.status(), wrong);
      }
      Answer placed = post(site, 1, xml(Styles.Rpc.class, place.formatted("<a:x>4</a:x>")), "urn:place");
      assertTrue(placed.text().contains(">7<"), placed.text());
    }
  }

  @ParameterizedTest
  @ValueSource(classes = {Styles.Validated.class, HandledStyles.HandledValidated.class})
  void anInvalidMessageIsRefusedAsByCxf(Class<? extends Counted> service) throws Exception {
    try (ServiceCluster site = new ServiceCluster(directory, service, 1, Map.of())) {
      String add = "<v:add xmlns:v='urn:validated'><by>2</by></v:add>";
      Answer refused = post(site, 1, xml(service, add.replace("</by>", "</by><more/>")), "urn:invalid");
      assertEquals(500, refused.status());
      assertTrue(refused.text().contains("Unmarshalling Error"), refused.text());
      assertTrue(post(site, 1, xml(service, add), "urn:valid").body().contains(">2<"), "the first one was not executed");
    }
  }

  @Test
  void aMessageThatCxfRefusesIsNotStored() throws Exception {
    Class<? extends Counted> service = HandledStyles.HandledValidated.class;
    try (ServiceCluster site = new ServiceCluster(directory, service, 1, Map.of())) {
      String add = "<v:add xmlns:v='urn:validated'><by>2</by></v:add>";
      assertEquals(500, post(site, 1, xml(service, add.replace("</by>", "</by><more/>")), "urn:one").status());
      Answer valid = post(site, 1, xml(service, add), "urn:one");
      assertTrue(valid.body().contains(">2<"), valid.text());
      assertTrue(valid.text().contains(">executed<"), valid.text());
    }
  }

  @ParameterizedTest
  @ValueSource(classes = {Styles.Validated.class, HandledStyles.HandledValidated.class})
  void anInvalidResponseIsAFaultAndStored(Class<? extends Counted> service) throws Exception {
    Style count = xml(service, "<v:count xmlns:v='urn:validated'><by>2</by></v:count>");
    try (ServiceCluster site = new ServiceCluster(directory, service, 1, Map.of())) {
      for (String status : new String[] {"executed", "replayed"}) {
        Answer invalid = post(site, 1, count, "urn:count");
        assertEquals(500, invalid.status());
        assertTrue(invalid.body().contains("<faultstring>The service failed. See the server's log"), invalid.text());
        assertTrue(invalid.text().contains("<ur:Status>" + status + "<"), invalid.text());
      }
      Answer next = post(site, 1, xml(service, "<v:add xmlns:v='urn:validated'><by>1</by></v:add>"), "urn:add");
      assertTrue(next.body().contains(">3<"), "as after every fault, the update counts, once: " + next.text());
    }
  }

  /** Prefixes in a text or in {@code xsi:type}; CXF gives a Provider none that only the envelope or the Body declare. */
  @ParameterizedTest
  @ValueSource(classes = {Styles.Typed.class, HandledStyles.HandledTyped.class})
  void providerGetsThePrefixesOfItsPayloadAsFromCxf(Class<? extends Counted> service) throws Exception {
    String declarations = "xmlns:p='urn:of-text' xmlns:q='urn:of-type'";
    String envelope =
        "<e:Envelope xmlns:e='" + Soap.SOAP11 + "' xmlns:xsi='http://www.w3.org/2001/XMLSchema-instance'><e:Body>"
            + "<t:ask xmlns:t='urn:typed' " + declarations + " xsi:type='q:T'>p:text</t:ask></e:Body></e:Envelope>";
    String outside = envelope.replace(declarations, "").replace("<e:Body", "<e:Body " + declarations);
    try (PlainCxf cxf = new PlainCxf(Files.createDirectories(directory.resolve("plain")), service.getDeclaredConstructor().newInstance());
        ServiceCluster site = new ServiceCluster(directory, service, 1, Map.of())) {
      for (String one : new String[] {envelope, outside}) {
        byte[] request = one.getBytes(StandardCharsets.UTF_8);
        String expected = content(site.post(0, cxf.url(), request, XML));
        assertEquals(expected, content(site.post(1, site.service(), request, XML)));
        assertEquals(one.equals(envelope), expected.contains(">urn:of-text urn:of-type<"), expected);
      }
    }
  }

  @Test
  void providerDoesNotReceiveTruncatedMessages() throws Exception {
    try (ServiceCluster site = new ServiceCluster(directory, Styles.Payload.class, 1, Map.of())) {
      byte[] whole = xml(Styles.Payload.class, "<p:any xmlns:p='urn:payload'>text</p:any>").request("");
      byte[] cut = Arrays.copyOf(whole, whole.length - 20);
      Answer refused = site.post(1, site.service(), cut, XML);
      assertTrue(refused.text().contains("not well-formed"), refused.text());
      assertTrue(site.post(1, site.service(), whole, XML).text().contains("count=\"1\""));
    }
  }

  @Test
  void aProviderOfReadsChangesNothing() throws Exception {
    try (ServiceCluster site = new ServiceCluster(directory, Styles.Lookup.class, 3, Map.of())) {
      TreeSet<String> found = new TreeSet<>();
      for (int i = 0; i < 3; i++) {
        found.add(post(site, site.primary(), xml(Styles.Lookup.class, "<l:find xmlns:l='urn:lookup'/>"), "urn:l" + i).text());
      }
      assertTrue(found.first().contains("<ur:Status>read</ur:Status>"), found.first());
    }
  }

  @Test
  void aOneWayUpdateIsAcceptedWhenItIsStable() throws Exception {
    try (ServiceCluster site = new ServiceCluster(directory, Styles.OneWay.class, 3, Map.of("understudy.request.deadline.ms", "1000"))) {
      Style note = xml(Styles.OneWay.class, "<o:note xmlns:o='urn:oneway'><by>2</by></o:note>");
      Style noted = xml(Styles.OneWay.class, "<o:noted xmlns:o='urn:oneway'/>");
      int first = site.primary();
      Answer accepted = post(site, first, note, "urn:note");
      assertEquals(202, accepted.status(), accepted.text());
      assertEquals(0, accepted.bytes().length);
      assertEquals(202, post(site, first, note, "urn:note").status());
      site.stop(first);
      int second = site.primary();
      assertTrue(post(site, second, noted, "urn:noted").body().contains(">2<"));
      assertEquals(202, post(site, second, note, "urn:note").status());
      assertTrue(post(site, second, noted, "urn:noted2").body().contains(">2<"));
      // Alone it can make nothing stable.
      site.stop(6 - first - second);
      assertNotEquals(202, post(site, second, note, "urn:later").status());
    }
  }

  /** RPC/literal, as a client has it. */
  @WebService(targetNamespace = "urn:rpc", name = "Rpc")
  @SOAPBinding(style = SOAPBinding.Style.RPC)
  interface RpcPort {
    @WebResult(name = "sum", partName = "sum")
    int add(@WebParam(name = "by", partName = "by") int by, @WebParam(name = "why", partName = "why") String why);
  }

  private static <T> T client(ServiceCluster site, Class<T> port) throws Exception {
    List<URI> addresses = IntStream.rangeClosed(1, 3).mapToObj(i -> site.uri(i, site.service())).toList();
    return FaultTolerant.client(port, URI.create(addresses.get(0) + "?wsdl").toURL(), addresses);
  }

  @Test
  void theStubCallsRpcByTheContract() throws Exception {
    try (ServiceCluster site = new ServiceCluster(directory, Styles.Rpc.class, 3, Map.of())) {
      RpcPort port = client(site, RpcPort.class);
      try {
        assertEquals(2, port.add(2, "why"));
        site.stop(site.primary());
        assertEquals(5, port.add(3, "not"));
      } finally {
        FaultTolerant.close(port);
      }
    }
  }

  /** A header of the request, as a client writes the interface by hand. */
  @WebService(targetNamespace = "urn:headed", name = "Headed")
  interface HeadedPort {
    String sign(
        @WebParam(name = "what") String what, @WebParam(name = "key", header = true, targetNamespace = "urn:headed") String key);
  }

  @Test
  void theStubSendsAndReadsDeclaredHeaders() throws Exception {
    try (ServiceCluster site = new ServiceCluster(directory, Styles.Headed.class, 3, Map.of("understudy.wsrf", "off"))) {
      Path generated = Files.createDirectories(directory.resolve("generated"));
      String wsdl = site.uri(1, site.service()) + "?wsdl";
      new WSDLToJava(
              new String[] {"-d", generated.toString(), "-compile", "-classdir", generated.toString(), "-p", "headed", wsdl})
          .run(new ToolContext());
      try (URLClassLoader loader = new URLClassLoader(new URL[] {generated.toUri().toURL()}, getClass().getClassLoader())) {
        Object port = client(site, loader.loadClass("headed.Headed"));
        Class<?> request = loader.loadClass("headed.Stamp");
        Object stamp = request.getConstructor().newInstance();
        request.getMethod("setWhat", String.class).invoke(stamp, "it");
        Method method = Arrays.stream(port.getClass().getMethods()).filter(one -> one.getName().equals("stamp")).findAny().orElseThrow();
        Holder<String> token = new Holder<>("a < b");
        Holder<Object> stamped = new Holder<>();
        method.invoke(port, stamp, token, new Holder<>(), stamped);
        assertEquals("it <1> & more", stamped.value);
        assertEquals("a < b/1", token.value);
        site.stop(site.primary());
        method.invoke(port, stamp, token, new Holder<>(), stamped);
        assertEquals("it <2> & more", stamped.value);
        assertEquals("a < b/1/2", token.value);
        FaultTolerant.close(port);
      }
    }
  }

  @Test
  void theStubSendsHeadersOfAnInterfaceThatIsWrittenByHand() throws Exception {
    try (ServiceCluster site = new ServiceCluster(directory, Styles.Headed.class, 3, Map.of("understudy.wsrf", "off"))) {
      HeadedPort byContract = client(site, HeadedPort.class);
      HeadedPort byAnnotations = FaultTolerant.client(HeadedPort.class, null, List.of(site.uri(1, site.service())));
      try {
        assertEquals("it by key 1", byContract.sign("it", "key"));
        assertEquals("it by key 2", byAnnotations.sign("it", "key"));
      } finally {
        FaultTolerant.close(byContract);
        FaultTolerant.close(byAnnotations);
      }
    }
  }

  @Test
  void contractsOfEveryStyleGenerateAClient() throws Exception {
    List<Class<?>> services =
        List.of(Styles.Rpc.class, Styles.Bare.class, Styles.Headed.class, Styles.Attached.class, Styles.Payload.class);
    for (Class<?> service : services) {
      try (ServiceCluster site = new ServiceCluster(directory, service, 1, Map.of())) {
        Path generated = Files.createDirectories(directory.resolve("generated-" + service.getSimpleName()));
        new WSDLToJava(new String[] {"-d", generated.toString(), site.uri(1, site.service()) + "?wsdl"}).run(new ToolContext());
        try (Stream<Path> files = Files.walk(generated)) {
          assertTrue(files.anyMatch(file -> file.toString().endsWith(".java")), service.getName());
        }
      }
    }
  }
}
