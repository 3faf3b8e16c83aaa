package org.understudy.wsrf.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import javax.xml.namespace.QName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.understudy.container.ServiceCluster;
import org.understudy.container.Soap;
import org.understudy.container.Wsrf;
import org.understudy.container.service.LampService;
import org.understudy.test.cluster.Answer;

/** Every answer that {@link ServiceCluster} brings, in all tests, is held to the contracts; here to see that this is so. */
class DeclaredFaultsTest {
  private static final String WSNT = "http://docs.oasis-open.org/wsn/b-2";
  private static final String DIALECT = "http://docs.oasis-open.org/wsn/t-1/TopicExpression/";
  private static final String XPATH = "http://www.w3.org/TR/1999/REC-xpath-19991116";

  @TempDir Path directory;
  private final Set<String> raised = new TreeSet<>();

  private void ask(ServiceCluster site, String path, String body) {
    Answer answer = Wsrf.post(site, 1, path, body);
    assertEquals(500, answer.status(), answer.text());
    for (QName fault : DeclaredFaults.details(DeclaredFaults.read(answer.bytes()))) {
      raised.add(fault.getLocalPart());
    }
  }

  private static String subscribe(String content) {
    return "<w:Subscribe xmlns:w='" + WSNT + "'><w:ConsumerReference><a:Address"
        + " xmlns:a='http://www.w3.org/2005/08/addressing'>http://127.0.0.1:1/</a:Address></w:ConsumerReference>" + content
        + "</w:Subscribe>";
  }

  private static String filter(String name, String dialect, String text) {
    return subscribe(
        "<w:Filter><w:" + name + " Dialect='" + dialect + "' xmlns:l='urn:lamps'>" + text + "</w:" + name + "></w:Filter>");
  }

  private static String current(String topic) {
    return "<w:GetCurrentMessage xmlns:w='" + WSNT + "' xmlns:l='urn:lamps'><w:Topic Dialect='" + DIALECT + "Full'>" + topic
        + "</w:Topic></w:GetCurrentMessage>";
  }

  private static String add(String content) {
    return "<sg:Add xmlns:sg='http://docs.oasis-open.org/wsrf/sg-2' xmlns:a='http://www.w3.org/2005/08/addressing'"
        + " xmlns:m='urn:members'><sg:MemberEPR><a:Address>http://a</a:Address></sg:MemberEPR>" + content + "</sg:Add>";
  }

  @Test
  void operationsRaiseFaultsThatTheirContractsDeclare() throws Exception {
    Map<String, String> settings =
        Map.of("understudy.servicegroup.rules", "-> {urn:members}Colour", "understudy.pull.points", "1");
    try (ServiceCluster site = new ServiceCluster(directory, LampService.class, 1, settings)) {
      String lamp = "/services/LampService/" + Wsrf.create(site);
      String query = "<rp:QueryExpression Dialect='%s'>%s</rp:QueryExpression>";
      ask(site, "/services/LampService/none", Wsrf.rp("GetResourceProperty", "l:Level"));
      ask(site, lamp, Wsrf.rp("GetResourceProperty", "l:Weight"));
      ask(site, lamp, Wsrf.rp("SetResourceProperties", "<rp:Update><l:Level>x</l:Level></rp:Update>"));
      ask(site, lamp, Wsrf.rp("SetResourceProperties", "<rp:Update><l:Maker>x</l:Maker></rp:Update>"));
      ask(site, lamp, Wsrf.rp("SetResourceProperties", "<rp:Update><l:Fuse>1</l:Fuse></rp:Update>"));
      ask(site, lamp, Wsrf.rp("UpdateResourceProperties", "<rp:Update><l:Fuse>1</l:Fuse></rp:Update>"));
      ask(site, lamp, Wsrf.rp("PutResourcePropertyDocument", "<l:Lamp><l:Weight>1</l:Weight></l:Lamp>"));
      ask(site, lamp, Wsrf.rp("QueryResourceProperties", String.format(query, "urn:sql", "SELECT")));
      ask(site, lamp, Wsrf.rp("QueryResourceProperties", String.format(query, XPATH, "//[")));
      String endless = "//*[//*[//*[//*[//*[//*[//*[count(//*) = 0]]]]]]]";
      ask(site, lamp, Wsrf.rp("QueryResourceProperties", String.format(query, XPATH, endless)));
      ask(site, lamp, Wsrf.rl("SetTerminationTime",
          "<rl:RequestedTerminationTime>2001-01-01T00:00:00Z</rl:RequestedTerminationTime>"));
      ask(site, "/services/ServiceGroup", add("<sg:Content/>"));
      ask(site, "/services/ServiceGroup", add(
          "<sg:Content><m:Colour/></sg:Content><sg:InitialTerminationTime>-PT1S</sg:InitialTerminationTime>"));
      ask(site, lamp, filter("TopicExpression", DIALECT + "Full", "l:Weather"));
      ask(site, lamp, filter("TopicExpression", DIALECT + "Full", "///"));
      ask(site, lamp, filter("TopicExpression", "urn:none", "l:Level"));
      ask(site, lamp, filter("MessageContent", XPATH, "//["));
      ask(site, lamp, filter("ProducerProperties", XPATH, "//["));
      ask(site, lamp, filter("Smell", XPATH, "rose"));
      ask(site, lamp, subscribe("<w:InitialTerminationTime>-PT1S</w:InitialTerminationTime>"));
      ask(site, lamp, subscribe("<w:SubscriptionPolicy><x/></w:SubscriptionPolicy>"));
      ask(site, lamp, subscribe("").replace("http://127.0.0.1:1/", "http://192.0.2.1/"));
      ask(site, lamp, current("l:Owner"));
      ask(site, lamp, current("l:Owner|l:Level"));
      ask(site, lamp, current("l:Weather"));
      String manager = "/services/SubscriptionManager/none";
      for (String operation : new String[] {"Unsubscribe", "PauseSubscription", "ResumeSubscription"}) {
        ask(site, manager, "<w:" + operation + " xmlns:w='" + WSNT + "'/>");
      }
      String create = "<w:CreatePullPoint xmlns:w='" + WSNT + "'/>";
      assertEquals(200, Wsrf.post(site, 1, "/services/CreatePullPoint", create).status());
      ask(site, "/services/CreatePullPoint", create);
      ask(site, "/services/PullPoint/none", "<w:GetMessages xmlns:w='" + WSNT + "'/>");
    }
    // What is not compared here would not have been compared at all.
    assertEquals(
        Set.of(
            "ResourceUnknownFault", "InvalidResourcePropertyQNameFault", "InvalidModificationFault",
            "UnableToModifyResourcePropertyFault", "SetResourcePropertyRequestFailedFault",
            "UpdateResourcePropertiesRequestFailedFault", "UnableToPutResourcePropertyDocumentFault",
            "UnknownQueryExpressionDialectFault", "InvalidQueryExpressionFault", "QueryEvaluationErrorFault",
            "TerminationTimeChangeRejectedFault", "ContentCreationFailedFault", "AddRefusedFault",
            "TopicNotSupportedFault", "InvalidTopicExpressionFault", "TopicExpressionDialectUnknownFault",
            "InvalidMessageContentExpressionFault", "InvalidProducerPropertiesExpressionFault", "InvalidFilterFault",
            "UnacceptableInitialTerminationTimeFault", "UnrecognizedPolicyRequestFault", "SubscribeCreationFailedFault",
            "NoCurrentMessageOnTopicFault", "MultipleTopicsSpecifiedFault", "UnableToCreatePullPointFault"),
        raised);
  }

  @Test
  void aFaultThatIsNotDeclaredIsSeen() {
    byte[] renew = Soap.envelope("", "<w:Renew xmlns:w='" + WSNT + "'/>").getBytes(StandardCharsets.UTF_8);
    assertTrue(DeclaredFaults.of(new QName(WSNT, "Renew")).contains(new QName(WSNT, "UnacceptableTerminationTimeFault")));
    for (String soap : new String[] {Soap.SOAP11, Soap.SOAP12}) {
      String detail = soap.equals(Soap.SOAP11) ? "detail" : "e:Detail";
      String fault = "<e:Fault><" + detail + "><w:%s xmlns:w='" + WSNT + "'/></" + detail + "></e:Fault>";
      byte[] declared =
          Soap.envelope(soap, "", String.format(fault, "UnacceptableTerminationTimeFault")).getBytes(StandardCharsets.UTF_8);
      byte[] undeclared = Soap.envelope(soap, "", String.format(fault, "PauseFailedFault")).getBytes(StandardCharsets.UTF_8);
      DeclaredFaults.check(renew, declared);
      assertThrows(AssertionError.class, () -> DeclaredFaults.check(renew, undeclared));
    }
  }
}
