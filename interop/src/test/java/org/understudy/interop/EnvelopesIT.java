package org.understudy.interop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.understudy.interop.Post.COUNTER;
import static org.understudy.interop.Post.SOAP11;
import static org.understudy.interop.Post.SOAP12;
import static org.understudy.interop.Post.WSA;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.understudy.interop.Post.Answer;
import org.understudy.test.strategy.ForEachStrategy;
import org.understudy.test.strategy.PerStrategy;

/** Envelopes as odd clients send them, at the primary or sequencer and at another replica. */
@ForEachStrategy
class EnvelopesIT {
  @RegisterExtension
  static final PerStrategy<TestedCluster> GROUP = new PerStrategy<>(TestedCluster::ofCounters, TestedCluster::down);

  private static final String ADD = "http://counter.com/CounterPortType/addRequest";
  private static final String READ = "http://counter.com/CounterPortType/getValueRequest";
  /** As some clients have it: the operation under another portType. */
  private static final String CREATE_AT_PULL_POINT = "http://docs.oasis-open.org/wsn/bw-2/PullPoint/CreatePullPointRequest";
  private static final String ANONYMOUS = WSA + "/anonymous";

  /** The service at the primary or sequencer first, then at another replica. */
  private static List<String> services;

  @BeforeEach
  void up() throws Exception {
    services = GROUP.get().services(GROUP.get().awaitWhole()).subList(0, 2);
  }

  /** A counter's URL at the same replicas. */
  private static List<String> newCounter() throws Exception {
    String address = Post.create(SOAP11).to(services.get(0)).text(WSA, "Address");
    assertNotNull(address);
    String id = address.substring(address.lastIndexOf('/') + 1);
    return services.stream().map(service -> service + "/" + id).toList();
  }

  private static String id(String address) {
    return address.substring(address.lastIndexOf('/') + 1);
  }

  @ParameterizedTest
  @ValueSource(strings = {SOAP11, SOAP12})
  void anEnvelopeWithoutAnyHeaderIsServed(String soap) throws Exception {
    for (String service : services) {
      String made = Post.create(soap).to(service).text(WSA, "Address");
      assertEquals(3, Post.add(soap, 3).to(made).total());
      Answer answer = Post.value(soap).to(service + "/" + id(made));
      assertEquals(3, answer.value());
      assertEquals(soap, answer.envelope().getDocumentElement().getNamespaceURI());
      assertTrue(answer.contentType().startsWith(soap.equals(SOAP11) ? "text/xml" : "application/soap+xml"),
          answer.contentType());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {
    "", "\"\"", ADD, "\"" + ADD + "\"", "\"http://counter.com#add\"", "http://counter.com#add", "'" + ADD + "'",
    "\"add\"", "\"" + READ + "\"", "\"urn:nobody:knows\""
  })
  void bodyDeterminesTheOperationForAnySoapAction(String soapAction) throws Exception {
    for (String counter : newCounter()) {
      int before = Post.value(SOAP11).to(counter).value();
      assertEquals(before + 1, Post.add(SOAP11, 1).soapAction(soapAction).to(counter).total());
      assertEquals(before + 1, Post.value(SOAP11).soapAction(soapAction).to(counter).value());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {
    "\"" + ADD + "\"", "\"\"", "\"http://counter.com#add\"", "\"" + READ + "\"", "\"urn:nobody:knows\""
  })
  void bodyDeterminesTheOperationForAnySoap12Action(String parameter) throws Exception {
    for (String counter : newCounter()) {
      int before = Post.value(SOAP12).to(counter).value();
      assertEquals(before + 1, Post.add(SOAP12, 1).actionParameter(parameter).to(counter).total());
      assertEquals(before + 1, Post.value(SOAP12).actionParameter(parameter).to(counter).value());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {
    ADD, "\"" + ADD + "\"", "&quot;" + ADD + "&quot;", "http://counter.com#add", "\"http://counter.com#add\"", "",
    "http://counter.com/CounterPortType/add", "urn:nobody:knows"
  })
  void bodyDeterminesTheOperationForAnyAddressingAction(String action) throws Exception {
    for (String soap : List.of(SOAP11, SOAP12)) {
      for (String counter : newCounter()) {
        String id = Post.newMessageId();
        int before = Post.value(soap).action(action).to(counter).value();
        Answer answer = Post.add(soap, 1).action(action)
            .header("<wsa:MessageID>" + id + "</wsa:MessageID><wsa:To>" + counter + "</wsa:To>").to(counter);
        assertEquals(before + 1, answer.total());
        assertEquals(id, answer.text(WSA, "RelatesTo"));
        assertEquals("http://counter.com/CounterPortType/addResponse", answer.text(WSA, "Action"));
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {SOAP11, SOAP12})
  void addressingMayBeMarkedMustUnderstand(String soap) throws Exception {
    for (String counter : newCounter()) {
      String id = Post.newMessageId();
      int before = Post.value(soap).to(counter).value();
      Answer answer = Post.add(soap, 4).header(
          "<wsa:Action s:mustUnderstand=\"1\">" + ADD + "</wsa:Action>"
              + "<wsa:MessageID s:mustUnderstand=\"1\">" + id + "</wsa:MessageID>"
              + "<wsa:To s:mustUnderstand=\"1\">" + counter + "</wsa:To>"
              + "<wsa:ReplyTo s:mustUnderstand=\"1\"><wsa:Address>" + ANONYMOUS + "</wsa:Address></wsa:ReplyTo>"
              + "<wsa:FaultTo s:mustUnderstand=\"1\"><wsa:Address>" + ANONYMOUS + "</wsa:Address></wsa:FaultTo>"
              + "<r:ResourceId xmlns:r=\"urn:understudy:replication:1\" wsa:IsReferenceParameter=\"true\""
              + " s:mustUnderstand=\"1\">" + id(counter) + "</r:ResourceId>").to(counter);
      assertEquals(before + 4, answer.total());
      assertEquals(id, answer.text(WSA, "RelatesTo"));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {SOAP11, SOAP12})
  void addressAloneIsSufficient(String soap) throws Exception {
    for (String counter : newCounter()) {
      int before = Post.value(soap).to(counter).value();
      assertEquals(before + 5, Post.add(soap, 5).to(counter).total());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {SOAP11, SOAP12})
  void referenceParameterAloneIsSufficient(String soap) throws Exception {
    String id = id(newCounter().get(0));
    String parameter = "<r:ResourceId xmlns:r=\"urn:understudy:replication:1\" wsa:IsReferenceParameter=\"true\">" + id
        + "</r:ResourceId>";
    int total = 0;
    for (String service : services) {
      total += 6;
      assertEquals(total, Post.add(soap, 6).header(parameter).to(service).total());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {SOAP11, SOAP12})
  void declaredFaultWithoutEither(String soap) throws Exception {
    for (String service : services) {
      Answer answer = Post.add(soap, 1).to(service);
      assertEquals(500, answer.status());
      assertNotNull(answer.text(COUNTER, "UnknownCounterFault"));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {SOAP11, SOAP12})
  void unknownHeadersAreIgnored(String soap) throws Exception {
    String[] headers = {
      "<x:Trace xmlns:x=\"urn:x\" id=\"7\"><x:deep><x:er>text</x:er></x:deep></x:Trace>",
      "<x:Trace xmlns:x=\"urn:x\" s:mustUnderstand=\"0\"/>",
      "<x:Trace xmlns:x=\"urn:x\" s:mustUnderstand=\"1\" "
          + (soap.equals(SOAP11) ? "s:actor=\"urn:somebody:else\"" : "s:role=\"urn:somebody:else\"") + "/>",
      "<Security xmlns=\"http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-secext-1.0.xsd\"/>",
      "<a:MessageID xmlns:a=\"http://schemas.xmlsoap.org/ws/2004/08/addressing\">urn:old</a:MessageID>"
    };
    for (String counter : newCounter()) {
      for (String header : headers) {
        int before = Post.value(soap).to(counter).value();
        assertEquals(before + 1, Post.add(soap, 1).header(header).to(counter).total(), header);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {SOAP11, SOAP12})
  void anUnknownHeaderThatMustBeUnderstoodIsRefusedAndNothingExecuted(String soap) throws Exception {
    List<String> truths = new ArrayList<>(List.of("1"));
    if (soap.equals(SOAP12)) {
      truths.add("true");
    }
    for (String counter : newCounter()) {
      for (String truth : truths) {
        int before = Post.value(soap).to(counter).value();
        String header = "<x:Trace xmlns:x=\"urn:x\" s:mustUnderstand=\"" + truth + "\"/>";
        String id = Post.newMessageId();
        Answer answer =
            Post.add(soap, 1).header(header).header("<wsa:MessageID>" + id + "</wsa:MessageID>").to(counter);
        assertEquals(500, answer.status());
        assertEquals("MustUnderstand", answer.faultCode());
        assertEquals(id, answer.text(WSA, "RelatesTo"));
        assertEquals(before, Post.value(soap).to(counter).value());
        assertEquals("MustUnderstand", Post.value(soap).header(header).to(counter).faultCode());
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {SOAP11, SOAP12})
  void standardOperationsRefuseUnknownMustUnderstandHeaders(String soap) throws Exception {
    String header = "<x:Trace xmlns:x=\"urn:x\" s:mustUnderstand=\"1\"/>";
    for (String counter : newCounter()) {
      for (String operation : List.of("Destroy", "GetResourcePropertyDocument")) {
        String namespace = "http://docs.oasis-open.org/wsrf/r" + (operation.equals("Destroy") ? "l-2" : "p-2");
        Answer answer = Post.of(soap, "<o:" + operation + " xmlns:o=\"" + namespace + "\"/>").header(header).to(counter);
        assertEquals("MustUnderstand", answer.faultCode());
      }
      assertEquals(0, Post.value(soap).to(counter).value());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {SOAP11, SOAP12})
  void anAnswerWantedElsewhereIsRefused(String soap) throws Exception {
    String elsewhere = "<wsa:ReplyTo><wsa:Address>http://127.0.0.1:9/</wsa:Address></wsa:ReplyTo>";
    for (String counter : newCounter()) {
      Answer answer = Post.add(soap, 1).header(elsewhere).to(counter);
      assertEquals(500, answer.status());
      assertEquals("OnlyAnonymousAddressSupported", answer.faultCode());
      assertEquals("wsa:ReplyTo", answer.text(WSA, "ProblemHeaderQName"));
      assertEquals(WSA + "/fault", answer.text(WSA, "Action"));
      assertEquals(0, Post.value(soap).to(counter).value());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {SOAP11, SOAP12})
  void anAnswerWantedNowhereIsNotSent(String soap) throws Exception {
    String nowhere = "<wsa:ReplyTo><wsa:Address>" + WSA + "/none</wsa:Address></wsa:ReplyTo>";
    for (String counter : newCounter()) {
      int before = Post.value(soap).to(counter).value();
      Answer answer = Post.add(soap, 1).header(nowhere).to(counter);
      assertEquals(202, answer.status());
      assertNull(answer.envelope());
      assertEquals(before + 1, Post.value(soap).to(counter).value());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {SOAP11, SOAP12})
  void aDeclaredFaultHasTheActionOfTheContract(String soap) throws Exception {
    for (String service : services) {
      Answer answer = Post.add(soap, 1).action(ADD).to(service);
      assertEquals("http://counter.com/CounterPortType/add/Fault/UnknownCounter", answer.text(WSA, "Action"));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {SOAP11, SOAP12})
  void aRepeatedMessageIdIsTheSameRequestAtAnyReplica(String soap) throws Exception {
    List<String> counter = newCounter();
    String id = Post.newMessageId();
    for (int i = 0; i < 2; i++) {
      for (String service : GROUP.get().services(2)) {
        String address = service + "/" + id(counter.get(0));
        Answer answer = Post.add(soap, 7).header("<wsa:MessageID>" + id + "</wsa:MessageID>").to(address);
        assertEquals(7, answer.total());
        assertEquals(id, answer.text(WSA, "RelatesTo"));
      }
    }
    assertEquals(7, Post.value(soap).to(counter.get(1)).value());
  }

  @Test
  void withoutAMessageIdARepetitionIsAnotherRequest() throws Exception {
    String counter = newCounter().get(1);
    assertEquals(7, Post.add(SOAP11, 7).to(counter).total());
    assertEquals(14, Post.add(SOAP11, 7).to(counter).total());
  }

  private static void playStandards(String soap, UnaryOperator<Post> style) throws Exception {
    for (String service : services) {
      new Standards(soap, style, service).play();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {SOAP11, SOAP12})
  void theStandardsOperationsNeedNoHeaderAndNoReferenceParameter(String soap) throws Exception {
    playStandards(soap, post -> post);
  }

  @ParameterizedTest
  @ValueSource(strings = {SOAP11, SOAP12})
  void theStandardsOperationsTakeTheReferenceParameterAlone(String soap) throws Exception {
    for (String service : services) {
      new Standards(soap, post -> post, service).playByReferenceParameter();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {
    "", "\"\"", CREATE_AT_PULL_POINT, "\"" + CREATE_AT_PULL_POINT + "\"",
    "\"http://docs.oasis-open.org/wsn/bw-2#Subscribe\"",
    "http://docs.oasis-open.org/wsn/bw-2#Subscribe", "\"" + ADD + "\"", "\"urn:nobody:knows\""
  })
  void bodyDeterminesTheStandardOperationForAnySoapAction(String soapAction) throws Exception {
    playStandards(SOAP11, post -> post.soapAction(soapAction));
    if (soapAction.startsWith("\"")) {
      playStandards(SOAP12, post -> post.actionParameter(soapAction));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {
    CREATE_AT_PULL_POINT, "http://docs.oasis-open.org/wsn/bw-2/CreatePullPoint/CreatePullPointRequest",
    "\"" + CREATE_AT_PULL_POINT + "\"", "http://docs.oasis-open.org/wsn/bw-2#Subscribe", "", ADD, "urn:nobody:knows"
  })
  void bodyDeterminesTheStandardOperationForAnyAddressingAction(String action) throws Exception {
    for (String soap : List.of(SOAP11, SOAP12)) {
      playStandards(soap, post -> post.action(action).header("<wsa:MessageID>" + Post.newMessageId() + "</wsa:MessageID>"));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {SOAP11, SOAP12})
  void aPullPointIsCreatedByTheActionOfAnotherPortType(String soap) throws Exception {
    for (String service : services) {
      String id = Post.newMessageId();
      Answer answer = Post.of(soap, Standards.element(Standards.WSNT, "CreatePullPoint", ""))
          .action(CREATE_AT_PULL_POINT).header("<wsa:MessageID>" + id + "</wsa:MessageID>")
          .to(service.replace("CounterService", "CreatePullPoint"));
      assertEquals("http://docs.oasis-open.org/wsn/bw-2/CreatePullPoint/CreatePullPointResponse",
          answer.text(WSA, "Action"));
      assertEquals(id, answer.text(WSA, "RelatesTo"));
      assertNotNull(answer.text(Standards.WSNT, "PullPoint"));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {SOAP11, SOAP12})
  void unknownHeadersAreIgnoredByStandardOperations(String soap) throws Exception {
    playStandards(soap, post -> post.header("<x:Trace xmlns:x=\"urn:x\" id=\"7\"><x:deep>text</x:deep></x:Trace>"));
  }

  @Test
  void everyAddressInTheContractIsWhereItWasAskedFor() throws Exception {
    for (String service : GROUP.get().services(1)) {
      String wsdl;
      try (var in = URI.create(service + "?wsdl").toURL().openStream()) {
        wsdl = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      }
      Matcher address = Pattern.compile(":address location=\"([^\"]*)\"").matcher(wsdl);
      int ports = 0;
      for (; address.find(); ports++) {
        assertEquals(service, address.group(1));
      }
      assertEquals(2, ports, "ports for SOAP 1.1 and 1.2");
    }
  }
}
