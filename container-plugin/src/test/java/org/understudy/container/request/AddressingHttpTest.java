package org.understudy.container.request;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.understudy.container.Soap.SOAP11;
import static org.understudy.container.Soap.SOAP12;
import static org.understudy.container.Soap.envelope;
import static org.understudy.container.Soap.notebook;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.understudy.container.ServiceCluster;
import org.understudy.container.Soap;
import org.understudy.container.Wsrf;
import org.understudy.container.service.LampService;
import org.understudy.container.service.NotebookService;
import org.understudy.soap.xml.Elements;
import org.understudy.test.cluster.Answer;
import org.understudy.test.strategy.ForEachStrategy;
import org.w3c.dom.Element;

/** WS-Addressing, SOAP and the Basic Profile, at a service's own operations and at those of the standards. */
@ForEachStrategy
class AddressingHttpTest {
  private static final String WSA = "http://www.w3.org/2005/08/addressing";
  private static final String WSNT = "http://docs.oasis-open.org/wsn/b-2";
  private static final String CREATE = "<n:create xmlns:n=\"urn:lamps\"/>";
  private static final String ELSEWHERE = "http://127.0.0.1:9/answers";

  private static ServiceCluster notebook;
  private static ServiceCluster lamp;

  @BeforeEach
  void start() throws Exception {
    notebook = ServiceCluster.shared(NotebookService.class, 1, Map.of());
    lamp = ServiceCluster.shared(LampService.class, 3, Map.of());
  }

  @AfterEach
  void stop() throws Exception {
    notebook.close();
    lamp.close();
  }

  private static Answer post(ServiceCluster site, int replica, String path, String soap, String headers, String body) {
    return site.post(
        replica, path, envelope(soap, headers, body).getBytes(StandardCharsets.UTF_8),
        soap.equals(SOAP11) ? "text/xml; charset=utf-8" : "application/soap+xml; charset=utf-8");
  }

  private static Answer note(String soap, String headers, String body) {
    return post(notebook, 1, notebook.service(), soap, headers, body);
  }

  private static String wsa(String name, String content) {
    return "<a:" + name + " xmlns:a=\"" + WSA + "\">" + content + "</a:" + name + ">";
  }

  private static String answerTo(String header, String address) {
    return wsa(header, "<a:Address>" + address + "</a:Address>");
  }

  private static String text() {
    return note(SOAP11, "", notebook("text", null)).body().replaceAll("(?s).*<return>(.*)</return>.*|.*", "$1");
  }

  private static String action(Answer answer) {
    return answer.between("<wsa:Action xmlns:wsa=\"" + WSA + "\">", "</wsa:Action>");
  }

  private static void relates(Answer answer, String id) {
    assertTrue(answer.text().contains(">" + id + "</wsa:RelatesTo>"), answer.text());
  }

  /** The replica that executes and one that forwards. */
  private static List<Integer> replicas() {
    return List.of(lamp.primary(), lamp.backup());
  }

  /** How a request is refused whose answer is wanted elsewhere. */
  private static void refused(Answer answer, String soap, String header, String subcode) {
    String detail = "<wsa:ProblemHeaderQName xmlns:wsa=\"" + WSA + "\">wsa:" + header + "</wsa:ProblemHeaderQName>";
    assertEquals(WSA + "/fault", action(answer), answer.text());
    relates(answer, "urn:uuid:asked");
    assertEquals(500, answer.status());
    if (soap.equals(SOAP11)) {
      assertTrue(answer.text().contains(">wsa:" + subcode + "</faultcode>"), answer.text());
      assertTrue(answer.text().contains("<wsa:FaultDetail xmlns:wsa=\"" + WSA + "\">" + detail), answer.text());
    } else {
      assertTrue(answer.text().contains("<soap:Value>soap:Sender</soap:Value><soap:Subcode>"), answer.text());
      assertTrue(answer.text().contains(">wsa:InvalidAddressingHeader</soap:Value><soap:Subcode>"), answer.text());
      assertTrue(answer.text().contains(">wsa:" + subcode + "</soap:Value></soap:Subcode></soap:Subcode>"), answer.text());
      assertTrue(answer.text().contains("<soap:Detail>" + detail), answer.text());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {SOAP11, SOAP12})
  void anAnswerWantedElsewhereIsRefusedByEveryKindOfOperation(String soap) {
    String id = Wsrf.create(lamp);
    String before = text();
    for (String header : List.of("ReplyTo", "FaultTo")) {
      String headers = answerTo(header, ELSEWHERE) + Soap.messageId("urn:uuid:asked");
      refused(note(soap, headers, notebook("append", "x")), soap, header, "OnlyAnonymousAddressSupported");
      for (int replica : replicas()) {
        for (Map.Entry<String, String> request : Map.of(
            "LampService", CREATE,
            "LampService/" + id, Wsrf.rp("GetResourceProperty", "l:Watts"),
            "LampService/" + id + "?", Wsrf.rp("GetResourcePropertyDocument", ""),
            "LampService/" + id + "??", Wsrf.rl("Destroy", ""),
            "CreatePullPoint", "<w:CreatePullPoint xmlns:w=\"" + WSNT + "\"/>",
            "SubscriptionManager/0", "<w:Unsubscribe xmlns:w=\"" + WSNT + "\"/>",
            "LampService?", "<w:Subscribe xmlns:w=\"" + WSNT + "\"/>",
            "ServiceGroup", Wsrf.rp("GetResourcePropertyDocument", ""),
            "LampService??", "<ur:OpenSession xmlns:ur=\"urn:understudy:replication:1\"/>").entrySet()) {
          String path = "/services/" + request.getKey().replace("?", "");
          Answer answer = post(lamp, replica, path, soap, headers, request.getValue());
          refused(answer, soap, header, "OnlyAnonymousAddressSupported");
        }
      }
    }
    assertEquals(before, text());
    assertEquals(200, Wsrf.lamp(lamp, lamp.primary(), id, Wsrf.rp("GetResourcePropertyDocument", "")).status());
  }

  @ParameterizedTest
  @ValueSource(strings = {SOAP11, SOAP12})
  void anotherActionOfTheTransportIsRefused(String soap) {
    String before = text();
    String headers = wsa("Action", "urn:notebook:append") + Soap.messageId("urn:uuid:asked");
    byte[] body = envelope(soap, headers, notebook("append", "x")).getBytes(StandardCharsets.UTF_8);
    String type = soap.equals(SOAP11) ? "text/xml; charset=utf-8" : "application/soap+xml; charset=utf-8; action=\"urn:other\"";
    refused(notebook.post(1, notebook.service(), body, type, "SOAPAction", "\"urn:other\""), soap, "Action", "ActionMismatch");
    assertEquals(before, text());
    String equal = type.replace("urn:other", "urn:notebook:append");
    assertEquals(200, notebook.post(1, notebook.service(), body, equal, "SOAPAction", "\"urn:notebook:append\"").status());
    assertEquals(before + "x", text());
  }

  @ParameterizedTest
  @ValueSource(strings = {SOAP11, SOAP12})
  void addressingHeadersThatAreInvalidAreNamed(String soap) {
    String id = Soap.messageId("urn:uuid:asked");
    String body = notebook("append", "x");
    String before = text();
    refused(note(soap, id + wsa("ReplyTo", ""), body), soap, "ReplyTo", "MissingAddressInEPR");
    refused(note(soap, id + answerTo("FaultTo", " "), body), soap, "FaultTo", "InvalidAddress");
    refused(note(soap, id + wsa("Action", "a") + wsa("Action", "b"), body), soap, "Action", "InvalidCardinality");
    refused(note(soap, id + Soap.messageId("urn:uuid:other"), body), soap, "MessageID", "InvalidCardinality");
    assertEquals(before, text());
    String forAnother = soap.equals(SOAP11) ? "e:actor='urn:gate'" : "e:role='urn:gate'";
    String block = "<a:ReplyTo xmlns:a='" + WSA + "' " + forAnother + "><a:Address>" + ELSEWHERE + "</a:Address></a:ReplyTo>";
    assertEquals(200, note(soap, block, notebook("text", null)).status());
  }

  @ParameterizedTest
  @ValueSource(strings = {SOAP11, SOAP12})
  void anAnswerWantedNowhereIsNotSent(String soap) {
    String none = answerTo("ReplyTo", WSA + "/none");
    String before = text();
    Answer done = note(soap, none, notebook("append", "n"));
    assertEquals(202, done.status());
    assertEquals("", done.text());
    assertEquals(before + "n", text());
    Answer fault = note(soap, none, notebook("refuse", "o"));
    assertEquals(500, fault.status());
    assertEquals("", fault.text());
    Answer wanted = note(soap, none + answerTo("FaultTo", WSA + "/anonymous"), notebook("refuse", "p"));
    assertTrue(wanted.text().contains("Refused"), wanted.text());
    Answer result = note(soap, answerTo("FaultTo", WSA + "/none"), notebook("append", "q"));
    assertEquals(before + "nopq", result.between("<return>", "</return>"));
    for (int replica : replicas()) {
      Answer made = post(lamp, replica, "/services/LampService", soap, none, CREATE);
      assertEquals(202, made.status());
      assertEquals("", made.text());
      String wrong = Wsrf.rp("GetResourceProperty", "l:nothing");
      Answer unknown = post(lamp, replica, "/services/LampService/0", soap, none, wrong);
      assertEquals(500, unknown.status());
      assertEquals("", unknown.text());
    }
    for (String block : List.of(none, answerTo("FaultTo", WSA + "/none"))) {
      Answer noOperation = note(soap, block, notebook("burn", null));
      assertEquals(500, noOperation.status());
      assertEquals("", noOperation.text());
    }
  }

  private static String conversation(String header, String number) {
    return "<a:" + header + " xmlns:a='" + WSA + "' xmlns:c='urn:c'><a:Address>" + WSA
        + "/anonymous</a:Address><a:ReferenceParameters xmlns:d='urn:d'><c:Conversation d:kind='x'>" + number + "</c:Conversation>"
        + "<c:Empty/></a:ReferenceParameters></a:" + header + ">";
  }

  /** Returns the numbers of the conversations that an answer belongs to. */
  private static List<String> conversations(Answer answer) throws Exception {
    List<String> numbers = new ArrayList<>();
    Element envelope = Elements.read(answer.text().getBytes(StandardCharsets.UTF_8));
    Element header = Elements.child(envelope, envelope.getNamespaceURI(), "Header");
    for (Element block : Elements.children(header)) {
      if ("urn:c".equals(block.getNamespaceURI())) {
        assertEquals("true", block.getAttributeNS(WSA, "IsReferenceParameter"), answer.text());
        if (block.getLocalName().equals("Conversation")) {
          assertEquals("x", block.getAttributeNS("urn:d", "kind"));
          numbers.add(block.getTextContent());
        }
      }
    }
    return numbers;
  }

  @ParameterizedTest
  @ValueSource(strings = {SOAP11, SOAP12})
  void answersHaveTheReferenceParametersOfTheirEndpoint(String soap) throws Exception {
    String both = conversation("ReplyTo", "42") + conversation("FaultTo", "43");
    assertEquals(List.of("42"), conversations(note(soap, both, notebook("append", "x"))));
    assertEquals(List.of("42"), conversations(note(soap, both, notebook("text", null))));
    assertEquals(List.of("43"), conversations(note(soap, both, notebook("refuse", "x"))));
    assertEquals(List.of("42"), conversations(note(soap, conversation("ReplyTo", "42"), notebook("refuse", "x"))));
    assertEquals(List.of("43"), conversations(note(soap, both, notebook("burn", null))), "the plugin's own faults");
    assertEquals(List.of(), conversations(note(soap, answerTo("ReplyTo", WSA + "/anonymous"), notebook("append", "x"))));
    for (int replica : replicas()) {
      assertEquals(List.of("42"), conversations(post(lamp, replica, "/services/LampService", soap, both, CREATE)));
      assertEquals(List.of("43"), conversations(post(lamp, replica, "/services/LampService/0", soap, both, Wsrf.rl("Destroy", ""))));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {SOAP11, SOAP12})
  void aRepeatedRequestGetsTheSameMessageIdAndItsOwnParameters(String soap) throws Exception {
    String id = Soap.messageId("urn:uuid:" + UUID.randomUUID());
    Set<String> ids = new HashSet<>();
    for (int replica : List.of(lamp.primary(), lamp.backup(), lamp.primary())) {
      String number = String.valueOf(ids.size() + replica);
      Answer answer = post(lamp, replica, "/services/LampService", soap, id + conversation("ReplyTo", number), CREATE);
      assertEquals(List.of(number), conversations(answer));
      assertTrue(answer.text().contains(">" + WSA + "/anonymous</wsa:To>"), answer.text());
      ids.add(answer.between("<wsa:MessageID xmlns:wsa=\"" + WSA + "\">urn:uuid:", "</wsa:MessageID>"));
    }
    assertEquals(1, ids.size(), ids.toString());
    Answer other = post(lamp, 1, "/services/LampService", soap, Soap.messageId("urn:uuid:" + UUID.randomUUID()), CREATE);
    assertTrue(ids.add(other.between("<wsa:MessageID xmlns:wsa=\"" + WSA + "\">urn:uuid:", "</wsa:MessageID>")));
  }

  @Test
  void aReferenceParameterMustNotChangeTheMeaningOfTheAnswer() {
    String before = text();
    for (String parameter : List.of(
        wsa("Action", "urn:x"), "<s:Body xmlns:s='" + SOAP11 + "'/>", Soap.header("<Epoch>9</Epoch>"),
        "<c:long xmlns:c='urn:c'>" + "x".repeat(9_000) + "</c:long>")) {
      String replyTo = wsa("ReplyTo", "<a:Address>" + WSA + "/anonymous</a:Address><a:ReferenceParameters>" + parameter
          + "</a:ReferenceParameters>");
      refused(note(SOAP11, Soap.messageId("urn:uuid:asked") + replyTo, notebook("append", "x")), SOAP11, "ReplyTo", "InvalidEPR");
    }
    assertEquals(before, text());
  }

  private static String pullPoint() {
    Answer made = Wsrf.post(
        lamp, lamp.primary(), "/services/CreatePullPoint", "<w:CreatePullPoint xmlns:w=\"" + WSNT + "\"/>");
    String address = made.between("Address>", "</");
    return address.substring(address.indexOf("/services/"));
  }

  private static String messages(String pullPoint) {
    String get = "<w:GetMessages xmlns:w=\"" + WSNT + "\"/>";
    return Wsrf.post(lamp, lamp.primary(), pullPoint, get).text();
  }

  @ParameterizedTest
  @ValueSource(strings = {SOAP11, SOAP12})
  void oneWayMessageIsAcceptedWithAnyReplyTo(String soap) {
    String pullPoint = pullPoint();
    int sent = 0;
    for (String address : List.of(WSA + "/none", WSA + "/anonymous", ELSEWHERE)) {
      for (int replica : replicas()) {
        String notify = "<w:Notify xmlns:w=\"" + WSNT + "\"><w:NotificationMessage><w:Message><m n='" + ++sent
            + "'/></w:Message></w:NotificationMessage></w:Notify>";
        String headers = answerTo("ReplyTo", address) + answerTo("FaultTo", address);
        Answer answer = post(lamp, replica, pullPoint, soap, headers, notify);
        assertEquals(202, answer.status(), answer.text());
        assertEquals("", answer.text());
      }
    }
    String got = messages(pullPoint);
    for (int i = 1; i <= sent; i++) {
      assertTrue(got.contains("n=\"" + i + "\"") || got.contains("n='" + i + "'"), i + got);
    }
    String before = text();
    assertEquals(202, note(soap, answerTo("ReplyTo", WSA + "/none"), notebook("note", "w")).status());
    assertEquals(before + "w", text());
  }

  @ParameterizedTest
  @ValueSource(strings = {SOAP11, SOAP12})
  void theResponseToAOneWayMessageHasNoEnvelope(String soap) {
    String notify = "<w:Notify xmlns:w=\"" + WSNT + "\"/>";
    for (int replica : replicas()) {
      for (String path : List.of(pullPoint(), "/services/PullPoint/0")) {
        Answer answer = post(lamp, replica, path, soap, Soap.messageId("urn:uuid:" + replica + path + soap), notify);
        assertEquals(500, answer.status(), answer.text());
        assertEquals("", answer.text());
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {SOAP11, SOAP12})
  void clientWithReplicationHeaderGetsCompleteFaults(String soap) {
    String notify = "<w:Notify xmlns:w=\"" + WSNT + "\"/>";
    Answer answer = post(lamp, lamp.primary(), "/services/PullPoint/0", soap, Soap.header("<Epoch>1</Epoch>"), notify);
    assertTrue(answer.text().contains("<soap:Fault>"), answer.text());
  }

  @ParameterizedTest
  @ValueSource(strings = {SOAP11, SOAP12})
  void theOperationsOnSessionsAreNoException(String soap) {
    String ur = " xmlns:ur=\"urn:understudy:replication:1\"";
    String nonce = "<ur:Nonce>0123456789abcdef0123456789abcdef</ur:Nonce>";
    String open = "<ur:OpenSession" + ur + ">" + nonce + "</ur:OpenSession>";
    String await = "<ur:AwaitView" + ur + "><ur:Epoch>0</ur:Epoch><ur:HoldSeconds>0</ur:HoldSeconds></ur:AwaitView>";
    for (String request : List.of(open, await)) {
      String name = request.equals(open) ? "OpenSession" : "AwaitView";
      Answer answer = post(lamp, lamp.primary(), "/replication", soap, Soap.messageId("urn:uuid:s"), request);
      assertEquals(200, answer.status(), answer.text());
      assertEquals("urn:understudy:replication:1/" + name + "Response", action(answer));
      relates(answer, "urn:uuid:s");
      Answer none = post(lamp, lamp.primary(), "/replication", soap, answerTo("ReplyTo", WSA + "/none"), request);
      assertEquals(202, none.status());
      assertEquals("", none.text());
      String must = "<x:one xmlns:x='urn:x' e:mustUnderstand='1'/>";
      assertTrue(
          post(lamp, lamp.primary(), "/replication", soap, must, request).text().contains("soap:MustUnderstand<"));
    }
    Answer wrong = post(
        lamp, lamp.primary(), "/replication", soap, Soap.messageId("urn:uuid:w"), "<ur:OpenSession" + ur + "/>");
    assertEquals(500, wrong.status());
    assertEquals("urn:understudy:replication:1/Fault", action(wrong));
    relates(wrong, "urn:uuid:w");
  }

  @ParameterizedTest
  @ValueSource(strings = {SOAP11, SOAP12})
  void whatMustBeUnderstoodAndIsNotIsNeverExecuted(String soap) {
    String id = Wsrf.create(lamp);
    for (int replica : replicas()) {
      for (String body : List.of(
          Wsrf.rl("Destroy", ""), Wsrf.rp("GetResourcePropertyDocument", ""), Wsrf.rp("GetResourceProperty", "l:Watts"),
          "<w:Subscribe xmlns:w=\"" + WSNT + "\"/>", "<n:nothing xmlns:n=\"urn:n\"/>", CREATE)) {
        String headers = Soap.messageId("urn:uuid:must") + "<x:one xmlns:x='urn:x' e:mustUnderstand='1'/>"
            + "<x:two xmlns:x='urn:x' e:mustUnderstand='0'/>"
            + wsa("Unheard", "").replace(" xmlns", " e:mustUnderstand='1' xmlns");
        Answer answer = post(lamp, replica, "/services/LampService/" + id, soap, headers, body);
        assertEquals(500, answer.status());
        assertTrue(answer.text().contains("soap:MustUnderstand<"), answer.text());
        assertEquals(WSA + "/soap/fault", action(answer));
        relates(answer, "urn:uuid:must");
        assertEquals(soap.equals(SOAP12), answer.text().contains(
            "<nu:NotUnderstood xmlns:nu=\"" + SOAP12 + "\" xmlns:h=\"urn:x\" qname=\"h:one\"/>"), answer.text());
        assertFalse(answer.text().contains("h:two"), answer.text());
      }
    }
    assertEquals(200, Wsrf.lamp(lamp, lamp.primary(), id, Wsrf.rp("GetResourcePropertyDocument", "")).status());
  }

  @ParameterizedTest
  @ValueSource(strings = {SOAP11, SOAP12})
  void headerForAnotherNodeNeedNotBeUnderstood(String soap) {
    String id = Wsrf.create(lamp);
    String role = soap.equals(SOAP11) ? "e:actor" : "e:role";
    String header = "<x:one xmlns:x='urn:x' e:mustUnderstand='1' " + role + "='urn:gate'/>";
    String lampPath = "/services/LampService/" + id;
    assertEquals(200, post(lamp, 1, lampPath, soap, header, Wsrf.rp("GetResourcePropertyDocument", "")).status());
    String create = "<w:CreatePullPoint xmlns:w=\"" + WSNT + "\"/>";
    Answer made = post(lamp, 1, "/services/CreatePullPoint", soap, header, create);
    assertEquals(200, made.status(), made.text());
    assertEquals(200, post(lamp, 1, "/services/LampService", soap, header, CREATE).status());
    assertEquals(200, post(lamp, 1, lampPath, soap, header, Wsrf.rl("Destroy", "")).status());
  }

  @ParameterizedTest
  @ValueSource(strings = {SOAP11, SOAP12})
  void truncatedOrOverlongRequestIsNeverExecuted(String soap) {
    String id = Wsrf.create(lamp);
    String type = soap.equals(SOAP11) ? "text/xml" : "application/soap+xml";
    String begin = "<BeginTransaction xmlns=\"urn:understudy:replication:1\"/>";
    String open = "<OpenSession xmlns=\"urn:understudy:replication:1\"><Nonce>0123456789abcdef0123456789abcdee</Nonce></OpenSession>";
    for (String body : List.of(Wsrf.rl("Destroy", ""), Wsrf.rp("GetResourcePropertyDocument", ""), begin, open)) {
      String whole = envelope(soap, "", body);
      String path = body.equals(open) ? "/replication" : "/services/LampService/" + id;
      for (String wrong : List.of(
          whole.replace("</e:Envelope>", ""), whole.replace("</e:Body></e:Envelope>", ""), whole + "<x/>",
          whole.replace("</e:Body>", "<x/></e:Body>"), whole.replace("</e:Envelope>", "<x/></e:Envelope>"),
          whole.replace("</e:Body>", "&unknown;</e:Body>"))) {
        for (int replica : replicas()) {
          byte[] bytes = wrong.getBytes(StandardCharsets.UTF_8);
          Answer answer = lamp.post(replica, path, bytes, type);
          assertEquals(500, answer.status(), wrong + answer.text());
        }
      }
    }
    assertEquals(200, Wsrf.lamp(lamp, lamp.primary(), id, Wsrf.rp("GetResourcePropertyDocument", "")).status());
  }

  @ParameterizedTest
  @ValueSource(strings = {SOAP11, SOAP12})
  void answersHaveTheActionOfTheContract(String soap) {
    String asked = wsa("Action", "urn:any");
    Answer result = note(soap, asked, notebook("append", "a"));
    assertEquals("urn:notebook:Notebook:appendResponse", action(result));
    assertFalse(result.text().contains("RelatesTo"), result.text());
    Answer declared = note(soap, asked + Soap.messageId("urn:uuid:d" + soap), notebook("refuse", "b"));
    assertEquals("urn:notebook:Notebook:refuse:Fault:RefusedException", action(declared));
    relates(declared, "urn:uuid:d" + soap);
    Answer again = note(soap, asked + Soap.messageId("urn:uuid:d" + soap), notebook("refuse", "b"));
    assertEquals(action(declared), action(again));
    assertEquals(WSA + "/soap/fault", action(note(soap, asked, notebook("stumble", "c"))));
    Answer unknown = note(soap, asked + Soap.messageId("urn:uuid:u"), notebook("burn", null));
    assertEquals(WSA + "/soap/fault", action(unknown));
    relates(unknown, "urn:uuid:u");
    Answer absent = post(lamp, lamp.primary(), "/services/LampService/0", soap, asked, Wsrf.rl("Destroy", ""));
    assertEquals("http://docs.oasis-open.org/wsrf/fault", action(absent));
    assertFalse(note(soap, "", notebook("append", "a")).text().contains(WSA));
  }

  @ParameterizedTest
  @ValueSource(strings = {SOAP11, SOAP12})
  void anEnvelopeOfAnotherVersionIsAMismatchThatNamesOurs(String soap) {
    String type = soap.equals(SOAP11) ? "text/xml" : "application/soap+xml";
    for (String other : List.of("<e:Envelope xmlns:e='urn:soap:3'/>", "<e:Letter xmlns:e='" + soap + "'/>", "<a/>")) {
      Answer answer = notebook.post(1, notebook.service(), other.getBytes(StandardCharsets.UTF_8), type);
      assertEquals(500, answer.status());
      assertTrue(answer.text().startsWith("<soap:Envelope xmlns:soap=\"" + soap + "\">"), answer.text());
      assertTrue(answer.text().contains("soap:VersionMismatch<"), answer.text());
      assertTrue(answer.text().contains("<up:Upgrade xmlns:up=\"" + SOAP12 + "\"><up:SupportedEnvelope xmlns:e=\"" + SOAP12
          + "\" qname=\"e:Envelope\"/><up:SupportedEnvelope xmlns:e=\"" + SOAP11 + "\""), answer.text());
    }
  }

  /** As from CXF, whose clients do not read what a status of 400 has. */
  @ParameterizedTest
  @ValueSource(ints = {400, 500})
  void aSendersFaultOfSoap12HasTheConfiguredStatus(int status) throws Exception {
    Map<String, String> settings = status == 500 ? Map.of() : Map.of("understudy.sender.fault.status", "400");
    try (ServiceCluster book = ServiceCluster.shared(NotebookService.class, 1, settings);
        ServiceCluster lamps = ServiceCluster.shared(LampService.class, 3, settings)) {
      String unknown = notebook("burn", null);
      assertEquals(status, post(book, 1, book.service(), SOAP12, "", unknown).status());
      assertEquals(500, post(book, 1, book.service(), SOAP11, "", unknown).status());
      assertEquals(500, post(book, 1, book.service(), SOAP12, "", notebook("stumble", "x")).status());
      String wrong = Wsrf.rp("GetResourceProperty", "l:nothing");
      for (int replica : List.of(lamps.primary(), lamps.backup())) {
        assertEquals(status, post(lamps, replica, "/services/LampService/0", SOAP12, "", wrong).status());
        assertEquals(500, post(lamps, replica, "/services/LampService/0", SOAP11, "", wrong).status());
      }
    }
  }

  /** SOAP 1.1, section 4.4: the detail of a fault is about the Body alone. */
  @Test
  void aFaultAboutAHeaderBlockHasNoDetailInSoap11() {
    String understand = "<x:unknown xmlns:x='urn:x' e:mustUnderstand='1'/>";
    String twice = Soap.header("<Session>a</Session>") + Soap.header("<Session>b</Session>");
    String elsewhere = answerTo("ReplyTo", "http://127.0.0.1:9/answers");
    for (String header : List.of(understand, twice, Soap.header("<Sequence>many</Sequence>"), elsewhere)) {
      Answer answer = post(lamp, lamp.primary(), "/services/LampService/0", SOAP11, header, Wsrf.rp("GetResourceProperty", "l:Level"));
      assertEquals(500, answer.status(), answer.text());
      assertFalse(answer.text().contains("<detail"), answer.text());
      assertTrue(answer.between("<soap:Header>", "</soap:Header>").contains("<ur:Code>BadRequest</ur:Code>"), answer.text());
    }
    Answer mismatch = notebook.post(1, notebook.service(), "<a/>".getBytes(StandardCharsets.UTF_8), "text/xml");
    assertFalse(mismatch.text().contains("<detail"), mismatch.text());
    Answer body = note(SOAP11, "", notebook("burn", null));
    assertTrue(body.body().contains("<detail><ur:ReplicationFault"), body.text());
  }

  @Test
  void aForeignContentTypeIsStatus415() {
    byte[] body = envelope("", notebook("append", "x")).getBytes(StandardCharsets.UTF_8);
    String before = text();
    for (String type : List.of(
        "application/json", "text/plain", "application/x-www-form-urlencoded", "text/xmlish", "image/png")) {
      assertEquals(415, notebook.post(1, notebook.service(), body, type).status(), type);
    }
    assertEquals(415, notebook.post(1, notebook.service(), body).status(), "none");
    assertEquals(415, notebook.post(1, "/replication", body).status(), "none");
    assertEquals(before, text());
    assertEquals(200, notebook.post(1, notebook.service(), body, "Text/XML;charset=utf-8").status());
    assertEquals(200, notebook.post(1, notebook.service(), body, "application/xml").status());
  }
}
