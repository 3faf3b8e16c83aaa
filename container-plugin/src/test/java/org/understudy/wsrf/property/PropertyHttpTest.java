package org.understudy.wsrf.property;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.understudy.container.ServiceCluster;
import org.understudy.container.Soap;
import org.understudy.container.Wsrf;
import org.understudy.container.service.LampService;
import org.understudy.test.cluster.Answer;

/** WS-ResourceProperties over HTTP. */
class PropertyHttpTest {
  private static ServiceCluster site;
  private String id;

  @BeforeAll
  static void open() throws Exception {
    site = ServiceCluster.shared(LampService.class, 1, Map.of());
  }

  @AfterAll
  static void close() throws Exception {
    site.close();
  }

  @BeforeEach
  void create() {
    id = Wsrf.create(site);
  }

  private String get(String property) {
    return Wsrf.get(site, 1, id, property);
  }

  private Answer rp(String operation, String content) {
    return Wsrf.lamp(site, 1, id, Wsrf.rp(operation, content));
  }

  private Answer set(String components) {
    return Wsrf.set(site, 1, id, components);
  }

  /** The fault, and that its detail is this one with what WS-BaseFaults wants. */
  private static Answer fault(Answer answer, String type) {
    assertEquals(500, answer.status(), answer.text());
    String detail = answer.between("<detail>", "</detail>");
    assertTrue(detail.startsWith("<f:" + type + " "), detail);
    assertTrue(detail.matches("(?s).*<bf:Timestamp>\\d{4}-\\d\\d-\\d\\dT[0-9:]+(\\.\\d{3})?Z</bf:Timestamp>.*"), detail);
    assertTrue(detail.contains("<bf:Description xml:lang=\"en\">"), detail);
    return answer;
  }

  @Test
  void aPropertyIsReadAsItsTypeIsWritten() {
    assertTrue(get("l:Level").contains("<p:Level xmlns:p=\"urn:lamps\">0</p:Level>"));
    assertTrue(get("l:Mode").contains(">STEADY<"));
    assertTrue(get("l:Period").contains(">PT1.5S<"));
    assertTrue(get("l:LastService").contains(">1970-01-01T00:00:00Z<"));
    assertTrue(get("l:Kind").contains(" xmlns:q=\"urn:kinds\">q:desk<"));
    assertTrue(get("l:Locked").contains(">false<"));
    assertTrue(get("l:Warmth").contains(">0.5<"));
    assertTrue(get("l:Maker").contains(">Bulb &amp; Sons<"));
  }

  @Test
  void aPropertyWithoutValueIsAnEmptyResponse() {
    assertEquals(
        "<rp:GetResourcePropertyResponse xmlns:rp=\"http://docs.oasis-open.org/wsrf/rp-2\">"
            + "</rp:GetResourcePropertyResponse>",
        get("l:Owner"));
  }

  @Test
  void aDefaultNamespaceIsThatOfAnUnprefixedName() {
    String request = "<rp:GetResourceProperty xmlns:rp=\"http://docs.oasis-open.org/wsrf/rp-2\" xmlns=\"urn:lamps\"> Level "
        + "</rp:GetResourceProperty>";
    assertTrue(Wsrf.lamp(site, 1, id, request).body().contains(">0<"));
  }

  @Test
  void aPrefixMayBeDeclaredOnTheEnvelope() {
    String envelope = "<e:Envelope xmlns:e=\"" + Soap.SOAP12 + "\" xmlns:far=\"urn:lamps\"><e:Body>"
        + "<GetResourceProperty xmlns=\"http://docs.oasis-open.org/wsrf/rp-2\">far:Level</GetResourceProperty>"
        + "</e:Body></e:Envelope>";
    Answer answer = site.post(
        1, "/services/LampService/" + id, envelope.getBytes(StandardCharsets.UTF_8), "application/soap+xml");
    assertEquals(200, answer.status());
    assertTrue(answer.text().contains(">0<"));
  }

  @Test
  void theResourceMayBeNamedByReferenceParameterAlone() {
    String headers = "<u:ResourceId xmlns:u=\"urn:understudy:replication:1\">" + id + "</u:ResourceId>";
    Answer answer = site.call(1, Soap.envelope(headers, Wsrf.rp("GetResourceProperty", "l:Level")));
    assertTrue(answer.body().contains(">0<"));
  }

  @Test
  void severalPropertiesAreReturnedOnceInRequestedOrder() {
    String body = rp("GetMultipleResourceProperties",
        "<rp:ResourceProperty>l:Mode</rp:ResourceProperty><rp:ResourceProperty>l:Level</rp:ResourceProperty>"
            + "<rp:ResourceProperty>l:Mode</rp:ResourceProperty>").body();
    assertTrue(body.indexOf("STEADY") < body.indexOf(":Level"), body);
    assertEquals(body.indexOf("STEADY"), body.lastIndexOf("STEADY"), body);
  }

  @Test
  void theDocumentHoldsAllAndTheTimes() {
    String body = rp("GetResourcePropertyDocument", "").body();
    assertTrue(body.contains("<d:Lamp xmlns:d=\"urn:lamps\">"), body);
    for (String property : List.of("Fuse", "Kind", "LastService", "Level", "Locked", "Maker", "Mode", "Period", "Warmth")) {
      assertTrue(body.contains("</p:" + property + ">"), property);
    }
    assertTrue(body.contains("<rl:CurrentTime xmlns:rl=\"http://docs.oasis-open.org/wsrf/rl-2\">20"), body);
    assertTrue(body.contains("xsi:nil=\"true\""), body);
  }

  @ParameterizedTest
  @CsvSource({"l:Weight", "Weight", "no:Level", "'<x/>'", "''"})
  void unknownPropertyGetsItsFault(String name) {
    fault(rp("GetResourceProperty", name), "InvalidResourcePropertyQNameFault");
    fault(
        rp("GetMultipleResourceProperties", "<rp:ResourceProperty>" + name + "</rp:ResourceProperty>"),
        "InvalidResourcePropertyQNameFault");
  }

  @ParameterizedTest
  @ValueSource(strings = {"GetResourceProperty", "GetMultipleResourceProperties", "GetResourcePropertyDocument",
      "PutResourcePropertyDocument", "SetResourceProperties", "InsertResourceProperties", "UpdateResourceProperties",
      "DeleteResourceProperties", "QueryResourceProperties"})
  void unknownResourceIsReported(String operation) {
    fault(Wsrf.lamp(site, 1, "0123", Wsrf.rp(operation, "l:Level")), "ResourceUnknownFault");
    fault(Wsrf.lamp(site, 1, null, Wsrf.rp(operation, "l:Level")), "ResourceUnknownFault");
    fault(Wsrf.lamp(site, 1, "lifetime/" + id, Wsrf.rp(operation, "l:Level")), "ResourceUnknownFault");
  }

  @Test
  void theFaultOfAResourceNamesIt() {
    String detail = fault(rp("GetResourceProperty", "l:Weight"), "InvalidResourcePropertyQNameFault")
        .between("<detail>", "</detail>");
    assertTrue(detail.contains("/services/LampService/" + id + "</wsa:Address></bf:Originator>"), detail);
  }

  @Test
  void everyTypeCanBeWritten() {
    assertEquals(200, set("<rp:Update><l:Level>7</l:Level><l:Owner> a  b </l:Owner><l:Mode>BLINKING</l:Mode>"
        + "<l:Period>-P1DT2H</l:Period><l:LastService>2026-01-02T03:04:05+01:00</l:LastService>"
        + "<l:Kind xmlns:k=\"urn:other\">k:floor</l:Kind><l:Locked>1</l:Locked><l:Warmth>-INF</l:Warmth>"
        + "<l:Tag>x</l:Tag><l:Tag>y &amp; z</l:Tag></rp:Update>").status());
    String body = rp("GetResourcePropertyDocument", "").body();
    for (String value : List.of(">7<", "> a  b <", ">BLINKING<", ">-PT93600S<", ">2026-01-02T02:04:05Z<",
        "xmlns:q=\"urn:other\">q:floor<", ">true<", ">-INF<", ">x<", ">y &amp; z<")) {
      assertTrue(body.contains(value), value + " in " + body);
    }
  }

  @Test
  void componentsAreDoneInTheirOrder() {
    assertEquals(200, set("<rp:Insert><l:Tag>a</l:Tag></rp:Insert><rp:Insert><l:Tag>b</l:Tag><l:Tag>c</l:Tag></rp:Insert>"
        + "<rp:Update><l:Owner>o</l:Owner></rp:Update><rp:Delete ResourceProperty=\"l:Owner\"/>").status());
    String tags = get("l:Tag");
    assertTrue(tags.indexOf(">a<") > 0 && tags.indexOf(">a<") < tags.indexOf(">b<"), tags);
    assertTrue(tags.indexOf(">b<") < tags.indexOf(">c<"), tags);
    assertFalse(get("l:Owner").contains("Owner>"));
  }

  @Test
  void eachKindOfChangeHasItsOperation() {
    rp("InsertResourceProperties", "<rp:Insert><l:Owner>o</l:Owner></rp:Insert>");
    assertTrue(get("l:Owner").contains(">o<"));
    rp("UpdateResourceProperties", "<rp:Update><l:Owner>p</l:Owner></rp:Update>");
    assertTrue(get("l:Owner").contains(">p<"));
    Answer deleted = rp("DeleteResourceProperties", "<rp:Delete ResourceProperty=\"l:Owner\"/>");
    assertTrue(deleted.body().startsWith("<rp:DeleteResourcePropertiesResponse "), deleted.text());
    assertFalse(get("l:Owner").contains("Owner>"));
  }

  @ParameterizedTest
  @ValueSource(strings = {
      "<l:Level>101</l:Level>", "<l:Level>many</l:Level>", "<l:Level>99999999999</l:Level>", "<l:Level><l:x/></l:Level>",
      "<l:Level>1</l:Level><l:Level>2</l:Level>", "<l:Mode>DIM</l:Mode>", "<l:Kind>none:such</l:Kind>",
      "<l:Period>P1M</l:Period>", "<l:Period>soon</l:Period>", "<l:LastService>P1D</l:LastService>",
      "<l:Locked>maybe</l:Locked>", "<l:Warmth>0x1p3</l:Warmth>", "<l:LastService>2026-01-02T03:04Z</l:LastService>",
      "<l:Level xmlns:i='http://www.w3.org/2001/XMLSchema-instance' i:nil='true'>5</l:Level>"})
  void whatIsNotOfTheTypeIsRefusedAndNothingOfTheRequestIsDone(String value) {
    Answer answer = set("<rp:Update><l:Owner>me</l:Owner></rp:Update><rp:Update>" + value + "</rp:Update>");
    String detail = fault(answer, "InvalidModificationFault").between("<detail>", "</detail>");
    assertTrue(detail.contains("Restored=\"true\"><f:CurrentValue><p:"), detail);
    assertTrue(detail.contains("</f:CurrentValue><f:RequestedValue><l:"), detail);
    assertFalse(get("l:Owner").contains("Owner>"));
  }

  @Test
  void theCurrentValueOfAFaultIsTheRestoredOne() {
    assertEquals(200, set("<rp:Update><l:Level>3</l:Level></rp:Update>").status());
    Answer answer = set("<rp:Update><l:Level>7</l:Level></rp:Update><rp:Update><l:Level>many</l:Level></rp:Update>");
    String current = fault(answer, "InvalidModificationFault").between("Restored=\"true\"><f:CurrentValue>", "</f:CurrentValue>");
    assertTrue(current.contains(">3<"), current);
    assertTrue(get("l:Level").contains(">3<"));
  }

  @Test
  void whatIsOneValueTakesNoSecondAndWhatIsAlwaysThereIsNotDeleted() {
    fault(set("<rp:Insert><l:Level>3</l:Level></rp:Insert>"), "InvalidModificationFault");
    fault(set("<rp:Delete ResourceProperty=\"l:Level\"/>"), "InvalidModificationFault");
  }

  @Test
  void aReadOnlyPropertyIsNotModified() {
    fault(set("<rp:Update><l:Maker>x</l:Maker></rp:Update>"), "UnableToModifyResourcePropertyFault");
    fault(set("<rp:Delete ResourceProperty=\"rl:TerminationTime\"/>"), "UnableToModifyResourcePropertyFault");
    fault(set("<rp:Update><rl:CurrentTime>2030-01-01T00:00:00Z</rl:CurrentTime></rp:Update>"),
        "UnableToModifyResourcePropertyFault");
  }

  @Test
  void anUnknownPropertyIsNotModified() {
    fault(set("<rp:Update><l:Weight>1</l:Weight></rp:Update>"), "InvalidResourcePropertyQNameFault");
    fault(set("<rp:Delete ResourceProperty=\"l:Weight\"/>"), "InvalidResourcePropertyQNameFault");
    fault(set("<rp:Delete/>"), "InvalidResourcePropertyQNameFault");
  }

  @Test
  void whatFailsWithinTheServiceHasTheFaultOfItsOperation() {
    fault(set("<rp:Update><l:Fuse>1</l:Fuse></rp:Update>"), "SetResourcePropertyRequestFailedFault");
    fault(rp("UpdateResourceProperties", "<rp:Update><l:Fuse>1</l:Fuse></rp:Update>"),
        "UpdateResourcePropertiesRequestFailedFault");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "<rp:Replace/>", "<rp:Update/>", "<l:Level>1</l:Level>"})
  void requestInvalidAgainstTheSchemaIsRefused(String components) {
    Answer answer = set(components);
    assertEquals(500, answer.status());
    assertTrue(answer.text().contains("<faultcode>soap:Client</faultcode>"), answer.text());
  }

  @Test
  void documentReadCanBePutBackAndChanged() {
    String read = rp("GetResourcePropertyDocument", "").between("<d:Lamp", "</rp:GetResourcePropertyDocumentResponse>");
    String changed = ("<d:Lamp" + read)
        .replace("<p:Level xmlns:p=\"urn:lamps\">0<", "<p:Level xmlns:p=\"urn:lamps\">42<")
        .replace("</d:Lamp>", "<d:Tag>new</d:Tag></d:Lamp>");
    Answer put = rp("PutResourcePropertyDocument", changed);
    assertEquals(200, put.status(), put.text());
    assertTrue(put.body().contains(">42<"), put.text());
    assertTrue(get("l:Level").contains(">42<"));
    assertTrue(get("l:Tag").contains(">new<"));
  }

  @Test
  void rejectedDocumentChangesNothing() {
    String level = "<l:Level>5</l:Level>";
    String rest = "<l:Fuse>6</l:Fuse><l:Locked>false</l:Locked><l:Warmth>0</l:Warmth>";
    for (String document : List.of(
        "<l:Lamps>" + level + rest + "</l:Lamps>",
        "<l:Lamp>" + level + rest + "<l:Weight>1</l:Weight></l:Lamp>",
        "<l:Lamp>" + level + rest + "<l:Maker>me</l:Maker></l:Lamp>",
        "<l:Lamp>" + level + rest + "<l:Mode>DIM</l:Mode></l:Lamp>",
        "<l:Lamp>" + level + "</l:Lamp>")) {
      Answer answer = fault(rp("PutResourcePropertyDocument", document), "UnableToPutResourcePropertyDocumentFault");
      assertTrue(answer.text().contains("<f:ResourcePropertyChangeFailure "), answer.text());
      assertTrue(get("l:Level").contains(">0<"), document);
    }
  }

  @Test
  void documentWithoutARequiredReadOnlyPropertyIsRejected() {
    String whole = rp("GetResourcePropertyDocument", "").between(
        "<rp:GetResourcePropertyDocumentResponse xmlns:rp=\"http://docs.oasis-open.org/wsrf/rp-2\">",
        "</rp:GetResourcePropertyDocumentResponse>")
        .replace("<p:Level xmlns:p=\"urn:lamps\">0<", "<p:Level xmlns:p=\"urn:lamps\">42<");
    String without = whole.replaceFirst("<(\\w+:)?CurrentTime[ >].*?</(\\w+:)?CurrentTime>", "");
    assertFalse(without.contains("CurrentTime"), without);
    Answer answer = fault(rp("PutResourcePropertyDocument", without), "UnableToPutResourcePropertyDocumentFault");
    assertTrue(answer.text().contains("lacks {http://docs.oasis-open.org/wsrf/rl-2}CurrentTime"), answer.text());
    assertTrue(get("l:Level").contains(">0<"));
  }

  @Test
  void faultContainsItsCause() {
    String document = "<l:Lamp><l:Level>5</l:Level><l:Fuse>6</l:Fuse><l:Locked>false</l:Locked><l:Warmth>0</l:Warmth>"
        + "<l:Mode>DIM</l:Mode></l:Lamp>";
    String detail = fault(
        rp("PutResourcePropertyDocument", document),
        "UnableToPutResourcePropertyDocumentFault").between("<detail>", "</detail>");
    String cause = detail.substring(detail.indexOf("<bf:FaultCause>"), detail.indexOf("</bf:FaultCause>"));
    assertTrue(cause.startsWith("<bf:FaultCause><f:InvalidModificationFault "), detail);
    assertTrue(cause.contains("<bf:Timestamp>") && cause.contains("DIM"), detail);
    assertTrue(detail.indexOf("</bf:Description>") < detail.indexOf("<bf:FaultCause>"), detail);
  }

  @Test
  void severalPropertiesAreAskedForByNameAndByNothingElse() {
    for (String content : List.of("", "<l:Level/>", "<rp:ResourceProperty>l:Level</rp:ResourceProperty><l:Level/>")) {
      Answer answer = rp("GetMultipleResourceProperties", content);
      assertEquals(500, answer.status(), answer.text());
      assertTrue(answer.text().contains("one or more ResourceProperty"), answer.text());
    }
  }

  private Answer query(String expression) {
    return rp("QueryResourceProperties",
        "<rp:QueryExpression Dialect=\"http://www.w3.org/TR/1999/REC-xpath-19991116\">" + expression
            + "</rp:QueryExpression>");
  }

  @Test
  void aQueryFindsElementsAttributesAndValues() {
    set("<rp:Update><l:Tag>a</l:Tag><l:Tag>b</l:Tag><l:Level>4</l:Level></rp:Update>");
    String tags = query("/l:Lamp/l:Tag").body();
    assertTrue(tags.contains(">a</p:Tag>") && tags.contains(">b</p:Tag>"), tags);
    assertTrue(query("//l:Level + 38").body().contains(">42<"));
    assertTrue(query("//l:Level &gt; 3").body().contains(">true<"));
    assertTrue(query("string(//l:Maker)").body().contains(">Bulb &amp; Sons<"));
    assertTrue(query("//l:Tag[. = 'b']/text()").body().contains(">b<"));
    assertTrue(query("/nothing").body().matches("<rp:QueryResourcePropertiesResponse [^>]*(/>|></rp:[^>]*>)"));
    assertTrue(query("/l:Lamp/rl:TerminationTime/@*").body().contains(">true<"));
    assertTrue(get("rp:QueryExpressionDialect").contains("REC-xpath-19991116"));
  }

  @Test
  void failedQueryGetsItsFault() {
    fault(query("//l:Level["), "InvalidQueryExpressionFault");
    fault(query("//none:Level"), "InvalidQueryExpressionFault");
    fault(query("document('/etc/passwd')"), "InvalidQueryExpressionFault");
    fault(query("x".repeat(5_000)), "InvalidQueryExpressionFault");
    fault(query("//*[//*[//*[//*[//*[//*[//*[count(//*) = 0]]]]]]]"), "QueryEvaluationErrorFault");
    fault(rp("QueryResourceProperties", "<rp:QueryExpression Dialect=\"urn:sql\">SELECT</rp:QueryExpression>"),
        "UnknownQueryExpressionDialectFault");
    fault(rp("QueryResourceProperties", "<rp:QueryExpression>//l:Level</rp:QueryExpression>"),
        "UnknownQueryExpressionDialectFault");
    assertEquals(500, rp("QueryResourceProperties", "").status());
  }

  @Test
  void aRepeatedChangeIsDoneOnce() {
    String request = Soap.envelope(
        Soap.header(site.openSession(), 1, 1),
        Wsrf.rp("InsertResourceProperties", "<rp:Insert><l:Tag>t</l:Tag></rp:Insert>"));
    byte[] bytes = request.getBytes(StandardCharsets.UTF_8);
    Answer first = site.post(1, "/services/LampService/" + id, bytes, "text/xml");
    Answer second = site.post(1, "/services/LampService/" + id, bytes, "text/xml");
    assertTrue(first.text().contains("<ur:Status>executed<"), first.text());
    assertTrue(second.text().contains("<ur:Status>replayed<"), second.text());
    String tags = get("l:Tag");
    assertEquals(tags.indexOf("</p:Tag>"), tags.lastIndexOf("</p:Tag>"));
  }

  @Test
  void aPropertyIsFoundByItsLocalNameUnlessThatIsSwitchedOff() throws Exception {
    for (boolean accepted : new boolean[] {true, false}) {
      try (ServiceCluster site = ServiceCluster.shared(LampService.class, 1, Map.of("understudy.local.names", "" + accepted))) {
        String id = Wsrf.create(site);
        String level = Wsrf.get(site, 1, id, "l:Level");
        for (String stubborn : new String[] {"Level", "rp:Level"}) {
          Answer answer = Wsrf.lamp(site, 1, id, Wsrf.rp("GetResourceProperty", stubborn));
          assertEquals(accepted ? 200 : 500, answer.status(), answer.text());
          assertEquals(accepted, answer.body().equals(level), answer.text());
        }
        assertEquals(500, Wsrf.lamp(site, 1, id, Wsrf.rp("GetResourceProperty", "rl:Level")).status());
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"4294967297", "2147483648", "-2147483649", "99999999999999999999", "", " ", "1.0", "one", "0x1"})
  void aNumberThatItsTypeCannotHoldIsRefusedAndNotExecuted(String number) {
    String before = Wsrf.get(site, 1, id, "l:Level");
    Answer answer = brighten(number);
    assertEquals(500, answer.status(), answer.text());
    assertTrue(answer.text().contains("is not a valid xs:int"), answer.text());
    assertEquals(before, Wsrf.get(site, 1, id, "l:Level"));
  }

  @Test
  void aNumberMayHaveSpaceAndASignAndZeros() {
    for (String number : new String[] {" 3\n", "+3", "0000000000000000000000003", "-2147483648"}) {
      assertEquals(200, brighten(number).status(), number);
    }
  }

  @Test
  void aNumberThatIsMissingIsRefusedAndNotExecuted() {
    String before = Wsrf.get(site, 1, id, "l:Level");
    for (String content : new String[] {"", "<other>3</other>", "<deeper><by>3</by></deeper>", "<x:by xmlns:x='urn:x'>3</x:by>"}) {
      Answer answer = Wsrf.lamp(site, 1, id, "<n:brighten xmlns:n=\"urn:lamps\">" + content + "</n:brighten>");
      assertEquals(500, answer.status(), answer.text());
      String why = content.isEmpty() ? "The element brighten lacks the element by." : "nexpected element";
      assertTrue(answer.text().contains(why), answer.text());
    }
    assertEquals(before, Wsrf.get(site, 1, id, "l:Level"));
  }

  @Test
  void aNumberThatIsNilIsRefusedAndNotExecuted() {
    String before = Wsrf.get(site, 1, id, "l:Level");
    for (String nil : new String[] {"true", " 1 "}) {
      Answer answer = Wsrf.lamp(site, 1, id, "<n:brighten xmlns:n=\"urn:lamps\" xmlns:i=\"http://www.w3.org/2001/XMLSchema-instance\">"
          + "<by i:nil=\"" + nil + "\"/></n:brighten>");
      assertEquals(500, answer.status(), answer.text());
      assertTrue(answer.text().contains("The element by must not be nil."), answer.text());
    }
    assertEquals(before, Wsrf.get(site, 1, id, "l:Level"));
  }

  private Answer brighten(String by) {
    return Wsrf.lamp(site, 1, id, "<n:brighten xmlns:n=\"urn:lamps\"><by>" + by + "</by></n:brighten>");
  }
}
