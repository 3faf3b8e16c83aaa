package org.understudy.wsrf.servicegroup;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.understudy.container.ServiceCluster;
import org.understudy.container.Soap;
import org.understudy.container.Wsrf;
import org.understudy.container.service.LampService;
import org.understudy.test.Condition;
import org.understudy.test.cluster.Answer;
import org.understudy.test.strategy.ForEachStrategy;
import org.understudy.wsrf.notification.Consumer;

/** WS-ServiceGroup over HTTP. */
@ForEachStrategy
class ServiceGroupHttpTest {
  private static final String GROUP = "/services/ServiceGroup";
  private static final String WSA = "http://www.w3.org/2005/08/addressing";

  @TempDir Path directory;

  private ServiceCluster site(int replicas, Map<String, String> more) throws Exception {
    return new ServiceCluster(directory, LampService.class, replicas, more);
  }

  private static String add(String address, String metadata, String content, String more) {
    return "<sg:Add xmlns:sg=\"http://docs.oasis-open.org/wsrf/sg-2\" xmlns:a=\"" + WSA + "\" xmlns:m=\"urn:members\">"
        + "<sg:MemberEPR><a:Address>" + address + "</a:Address>" + metadata + "</sg:MemberEPR><sg:Content>" + content
        + "</sg:Content>" + more + "</sg:Add>";
  }

  private static Answer toGroup(ServiceCluster site, String body) {
    return Wsrf.post(site, site.nextServer(), GROUP, body);
  }

  /** The path of the new entry. */
  private static String entry(Answer added) {
    assertEquals(200, added.status(), added.text());
    return "/services/ServiceGroupEntry/" + added.between("/services/ServiceGroupEntry/", "</wsa:Address>")
        .replaceAll(".*/", "");
  }

  private static String get(String property) {
    return "<rp:GetResourceProperty xmlns:rp=\"http://docs.oasis-open.org/wsrf/rp-2\""
        + " xmlns:g=\"http://docs.oasis-open.org/wsrf/sg-2\" xmlns:rl=\"http://docs.oasis-open.org/wsrf/rl-2\">" + property
        + "</rp:GetResourceProperty>";
  }

  private static void fault(Answer answer, String type) {
    assertEquals(500, answer.status(), answer.text());
    assertTrue(answer.between("<detail>", "</detail>").startsWith("<f:" + type + " "), answer.text());
  }

  @Test
  void aMemberIsAddedReadAndRemoved() throws Exception {
    try (ServiceCluster site = site(1, Map.of())) {
      Answer added = toGroup(site, add("http://a/b?c&amp;d", "", "<m:Colour>red &amp; m:blue</m:Colour>", ""));
      assertTrue(added.text().contains("TerminationTime"), added.text());
      assertTrue(added.text().contains("xsi:nil=\"true\""), added.text());
      String entry = entry(added);
      String entries = toGroup(site, get("g:Entry")).body();
      assertTrue(entries.contains("http://a/b?c&amp;d"), entries);
      assertTrue(entries.contains(">red &amp; m:blue</m:Colour>"), entries);
      assertTrue(entries.contains("xmlns:m=\"urn:members\""), entries);
      assertTrue(entries.contains(entry), entries);
      assertTrue(Wsrf.post(site, 1, entry, get("g:MemberEPR")).body().contains("http://a/b?c&amp;d"));
      assertTrue(Wsrf.post(site, 1, entry, get("g:Content")).body().contains("red"));
      assertTrue(Wsrf.post(site, 1, entry, get("g:ServiceGroupEPR")).body().contains(GROUP + "</wsa:Address>"));
      assertEquals(200, Wsrf.post(site, 1, entry, Wsrf.rl("Destroy", "")).status());
      fault(Wsrf.post(site, 1, entry, get("g:Content")), "ResourceUnknownFault");
      fault(Wsrf.post(site, 1, entry, Wsrf.rl("Destroy", "")), "ResourceUnknownFault");
      assertFalse(toGroup(site, get("g:Entry")).body().contains("sg:Entry"));
    }
  }

  @Test
  void anEntryIsNamedByReferenceParameterToo() throws Exception {
    try (ServiceCluster site = site(1, Map.of())) {
      String id = entry(toGroup(site, add("http://a", "", "", ""))).replaceAll(".*/", "");
      String header = "<u:ResourceId xmlns:u=\"urn:understudy:replication:1\">" + id + "</u:ResourceId>";
      Answer answer = site.post(1, "/services/ServiceGroupEntry",
          Soap.envelope(header, get("g:MemberEPR")).getBytes(StandardCharsets.UTF_8), "text/xml");
      assertTrue(answer.body().contains("http://a"), answer.text());
    }
  }

  @Test
  void entriesAndTheirTimesSurviveThePrimaryAndTheNextOneEndsThem() throws Exception {
    try (ServiceCluster site = site(3, Map.of())) {
      String kept = entry(toGroup(site, add("http://kept", "", "", "")));
      String timed = entry(toGroup(site, add("http://timed", "", "",
          "<sg:InitialTerminationTime>2087-01-02T03:04:05Z</sg:InitialTerminationTime>")));
      String ending = entry(Wsrf.post(site, site.backup(), GROUP, add("http://ending", "", "",
          "<sg:InitialTerminationTime>PT3S</sg:InitialTerminationTime>")));
      site.stop(site.primary());
      assertTrue(Wsrf.post(site, site.nextServer(), kept, get("g:MemberEPR")).body().contains("http://kept"));
      assertTrue(
          Wsrf.post(site, site.nextServer(), timed, get("rl:TerminationTime")).body().contains(">2087-01-02T03:04:05Z<"));
      Condition.await(() -> Wsrf.post(site, site.nextServer(), ending, get("g:MemberEPR")).status() == 500);
      String entries = toGroup(site, get("g:Entry")).body();
      assertTrue(entries.contains("http://kept") && entries.contains("http://timed"), entries);
      assertFalse(entries.contains("http://ending"), entries);
    }
  }

  @Test
  void aRuleWantsInterfaceAndContent() throws Exception {
    String rules = "{urn:members}Printer -> {urn:members}Pages {urn:members}Colour; -> {urn:members}Guest";
    try (ServiceCluster site = site(1, Map.of("understudy.servicegroup.rules", rules))) {
      String printer = "<a:Metadata><w:InterfaceName xmlns:w=\"http://www.w3.org/2007/05/addressing/metadata\">m:Printer"
          + "</w:InterfaceName></a:Metadata>";
      entry(toGroup(site, add("http://a", printer, "<m:Colour/><m:Pages>3</m:Pages>", "")));
      entry(toGroup(site, add("http://b", "", "<m:Guest/>", "")));
      fault(toGroup(site, add("http://c", printer, "<m:Pages>3</m:Pages>", "")), "ContentCreationFailedFault");
      String told = toGroup(site, get("g:MembershipContentRule")).body();
      assertTrue(told.contains("MemberInterfaces=\"i0:Printer\" ContentElements=\"e0:Pages e1:Colour\""), told);
      assertTrue(told.contains("ContentElements=\"e0:Guest\""), told);
    }
  }

  @Test
  void aMemberWithoutTheInterfaceIsNotSupported() throws Exception {
    try (ServiceCluster site = site(1, Map.of("understudy.servicegroup.rules", "{urn:members}Printer {urn:members}Copier ->"))) {
      fault(toGroup(site, add("http://a", "", "", "")), "UnsupportedMemberInterfaceFault");
      String printer = "<a:Metadata><w:InterfaceName xmlns:w=\"http://www.w3.org/2007/05/addressing/metadata\">m:Printer"
          + "</w:InterfaceName></a:Metadata>";
      fault(toGroup(site, add("http://a", printer, "", "")), "UnsupportedMemberInterfaceFault");
      assertFalse(toGroup(site, get("g:Entry")).body().contains("sg:Entry"));
    }
  }

  @Test
  void rulesThatCannotBeReadStopTheStart() {
    assertThrows(Exception.class, () -> site(1, Map.of("understudy.servicegroup.rules", "{urn:members}Printer")));
    assertThrows(Exception.class, () -> site(1, Map.of("understudy.servicegroup.rules", "Printer ->")));
  }

  @Test
  void whatIsTooMuchOrTooLateIsRefused() throws Exception {
    try (ServiceCluster site = site(1, Map.of("understudy.servicegroup.entries", "1"))) {
      fault(toGroup(site, add("http://a", "", "<m:Long>" + "x".repeat(70_000) + "</m:Long>", "")), "AddRefusedFault");
      fault(toGroup(site, add("http://a", "", "",
          "<sg:InitialTerminationTime>2001-01-01T00:00:00Z</sg:InitialTerminationTime>")), "AddRefusedFault");
      fault(toGroup(site, add("http://a", "", "", "<sg:InitialTerminationTime>PT0S</sg:InitialTerminationTime>")), "AddRefusedFault");
      String entry = entry(toGroup(site, add("http://a", "", "", "")));
      fault(toGroup(site, add("http://b", "", "", "")), "AddRefusedFault");
      Wsrf.post(site, 1, entry, Wsrf.rl("Destroy", ""));
      entry(toGroup(site, add("http://b", "", "", "")));
    }
  }

  @Test
  void invalidAddIsRefused() throws Exception {
    try (ServiceCluster site = site(1, Map.of())) {
      for (String request : new String[] {
          "<sg:Add xmlns:sg=\"http://docs.oasis-open.org/wsrf/sg-2\"/>",
          add(" ", "", "", ""), add("http://a", "", "", "").replace("<sg:Content", "<sg:MemberEPR/><sg:Content"),
          add("http://a", "", "", "<sg:InitialTerminationTime>soon</sg:InitialTerminationTime>")}) {
        fault(toGroup(site, request), "AddRefusedFault");
      }
    }
  }

  @Test
  void groupPropertiesAreReadableByEveryOperation() throws Exception {
    try (ServiceCluster site = site(1, Map.of("understudy.servicegroup.rules", "-> {urn:members}Colour"))) {
      toGroup(site, add("http://a/b", "", "<m:Colour>red</m:Colour>", ""));
      String document = toGroup(site, rp("GetResourcePropertyDocument", "")).body();
      assertTrue(document.contains(":Entry") && document.contains(":MembershipContentRule"), document);
      assertTrue(document.contains("http://a/b") && document.contains(">red<"), document);
      String several = toGroup(site, rp("GetMultipleResourceProperties",
          "<rp:ResourceProperty>g:Entry</rp:ResourceProperty>"
              + "<rp:ResourceProperty>g:MembershipContentRule</rp:ResourceProperty>"))
          .body();
      assertTrue(several.contains(">red<") && several.contains("e0:Colour"), several);
      String found = toGroup(site, rp("QueryResourceProperties",
          "<rp:QueryExpression Dialect=\"http://www.w3.org/TR/1999/REC-xpath-19991116\" xmlns:m=\"urn:members\">"
              + "count(//g:Entry[g:Content/m:Colour = 'red'])</rp:QueryExpression>")).body();
      assertTrue(found.contains(">1<"), found);
    }
  }

  private static String rp(String operation, String content) {
    return "<rp:" + operation + " xmlns:rp=\"http://docs.oasis-open.org/wsrf/rp-2\""
        + " xmlns:g=\"http://docs.oasis-open.org/wsrf/sg-2\">" + content + "</rp:" + operation + ">";
  }

  @Test
  void anEntryStaysInItsGroup() throws Exception {
    try (ServiceCluster site = site(1, Map.of())) {
      String entry = entry(toGroup(site, add("http://a", "", "", "")));
      String group = Wsrf.post(site, 1, entry, get("g:ServiceGroupEPR")).body();
      assertTrue(group.contains(GROUP + "</wsa:Address>"), group);
      String other =
          "<g:ServiceGroupEPR><a:Address xmlns:a=\"" + WSA + "\">http://elsewhere</a:Address></g:ServiceGroupEPR>";
      for (String request : new String[] {
          rp("SetResourceProperties", "<rp:Update>" + other + "</rp:Update>"),
          rp("UpdateResourceProperties", "<rp:Update>" + other + "</rp:Update>"),
          rp("DeleteResourceProperties", "<rp:Delete ResourceProperty=\"g:ServiceGroupEPR\"/>"),
          rp("PutResourcePropertyDocument",
              "<u:ServiceGroupEntryRP xmlns:u=\"urn:understudy:services:1\">" + other + "</u:ServiceGroupEntryRP>"),
          add("http://a", "", "", "")}) {
        assertEquals(500, Wsrf.post(site, 1, entry, request).status(), request);
        assertEquals(group, Wsrf.post(site, 1, entry, get("g:ServiceGroupEPR")).body());
      }
      assertTrue(toGroup(site, get("g:Entry")).body().contains(entry));
    }
  }

  @Test
  void theAnswerToAddTellsItsTimesInWholeMillisecondsAndInItsOwnNamespace() throws Exception {
    try (ServiceCluster site = site(1, Map.of())) {
      String answer = toGroup(site, add("http://a", "", "",
          "<sg:InitialTerminationTime>2087-01-02T03:04:05.123456Z</sg:InitialTerminationTime>")).body();
      String sg = " xmlns:sg=\"http://docs.oasis-open.org/wsrf/sg-2\">";
      assertTrue(answer.contains("<sg:TerminationTime" + sg + "2087-01-02T03:04:05.124Z</sg:TerminationTime>"), answer);
      assertTrue(
          answer.matches("(?s).*<sg:CurrentTime" + sg + "20[0-9-]+T[0-9:]+(\\.\\d{3})?Z</sg:CurrentTime>.*"), answer);
    }
  }

  @Test
  void theContractTellsRegistration() throws Exception {
    try (ServiceCluster site = site(1, Map.of())) {
      assertTrue(site.health(1, "live").statusCode() == 200);
      String wsdl = new String(site.uri(1, GROUP + "?wsdl").toURL().openStream().readAllBytes(), StandardCharsets.UTF_8);
      assertTrue(wsdl.contains("ServiceGroupRegistration/AddRequest"), wsdl);
      assertTrue(wsdl.contains("GetResourceProperty"), wsdl);
    }
  }

  private static Answer subscribe(ServiceCluster site, String path, Consumer consumer) {
    return Wsrf.post(site, site.nextServer(), path,
        "<b:Subscribe xmlns:b=\"http://docs.oasis-open.org/wsn/b-2\" xmlns:a=\"" + WSA + "\"><b:ConsumerReference>"
            + "<a:Address>" + consumer.address() + "</a:Address></b:ConsumerReference></b:Subscribe>");
  }

  private static String heard(Consumer consumer, int number) {
    Condition.await(() -> consumer.heard().size() > number);
    return consumer.heard().get(number);
  }

  @Test
  void subscribersAtTheGroupAreNotifiedOfAdditionsAndRemovals() throws Exception {
    try (ServiceCluster site = site(1, Map.of());
        Consumer ofGroup = new Consumer();
        Consumer ofService = new Consumer()) {
      Answer subscribed = subscribe(site, GROUP, ofGroup);
      assertEquals(200, subscribed.status(), subscribed.text());
      assertEquals(200, subscribe(site, "/services/LampService", ofService).status());
      String topics = toGroup(site, get("t:TopicSet").replace("<rp:GetResourceProperty",
          "<rp:GetResourceProperty xmlns:t=\"http://docs.oasis-open.org/wsn/t-1\"")).body();
      assertTrue(topics.contains("ServiceGroupModification"), topics);
      String entry = entry(toGroup(site, add("http://a/b", "", "", "")));
      String addition = heard(ofGroup, 0);
      assertTrue(addition.contains("EntryAdditionNotification") && addition.contains("http://a/b"), addition);
      assertTrue(addition.matches("(?s).*ProducerReference.*?Address>[^<]*/services/ServiceGroup<.*"), addition);
      assertEquals(200, Wsrf.post(site, 1, entry, Wsrf.rl("Destroy", "")).status());
      String removal = heard(ofGroup, 1);
      assertTrue(removal.contains("EntryRemovalNotification") && removal.contains("Destroyed"), removal);

      String lamp = Wsrf.create(site);
      assertEquals(200, Wsrf.lamp(site, 1, lamp, Wsrf.rl("Destroy", "")).status());
      String first = heard(ofService, 0);
      assertTrue(first.contains("/services/LampService/" + lamp), "only of the service's own resources: " + first);
    }
  }
}
