package org.understudy.wsrf.property;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.understudy.container.ServiceCluster;
import org.understudy.container.Soap;
import org.understudy.container.Wsrf;
import org.understudy.container.service.LampService;
import org.understudy.test.cluster.Answer;

/** What docs/conformance.md claims of resources and of groups of them, where no other test shows it. */
class ResourceConformanceTest {

  private ServiceCluster site() throws Exception {
    return ServiceCluster.shared(LampService.class, 1, Map.of());
  }

  @ParameterizedTest
  @CsvSource({Soap.SOAP11 + ",text/xml,<detail>,</detail>", Soap.SOAP12 + ",application/soap+xml,Detail>,</"})
  void faultIsInTheDetailInBothSoapVersions(String soap, String type, String from, String to) throws Exception {
    try (ServiceCluster site = site()) {
      String envelope = Soap.envelope(soap, Soap.messageId("urn:1"), Wsrf.rp("GetResourceProperty", "l:Weight"));
      Answer answer = site.post(1, "/services/LampService/" + Wsrf.create(site),
          envelope.getBytes(StandardCharsets.UTF_8), type);
      assertEquals(500, answer.status(), answer.text());
      assertTrue(answer.between(from, to).startsWith("<f:InvalidResourcePropertyQNameFault "), answer.text());
      assertTrue(answer.text().contains(">http://docs.oasis-open.org/wsrf/fault</wsa:Action>"), answer.text());
    }
  }

  @Test
  void oneUnknownNameFailsTheWholeRequest() throws Exception {
    try (ServiceCluster site = site()) {
      Answer answer = Wsrf.lamp(site, 1, Wsrf.create(site), Wsrf.rp("GetMultipleResourceProperties",
          "<rp:ResourceProperty>l:Level</rp:ResourceProperty><rp:ResourceProperty>l:Weight</rp:ResourceProperty>"));
      assertEquals(500, answer.status(), answer.text());
      assertTrue(answer.text().contains("<f:InvalidResourcePropertyQNameFault "), answer.text());
    }
  }

  @Test
  void aTimeWithoutAZoneIsUtc() throws Exception {
    try (ServiceCluster site = site()) {
      Answer answer = Wsrf.lamp(site, 1, Wsrf.create(site), Wsrf.rl("SetTerminationTime",
          "<rl:RequestedTerminationTime>2087-06-05T04:03:02</rl:RequestedTerminationTime>"));
      assertTrue(answer.text().contains(">2087-06-05T04:03:02Z</rl:NewTerminationTime>"), answer.text());
    }
  }

  @Test
  void memberCanBeAddedTwiceAndTheAnswerHasTheTime() throws Exception {
    try (ServiceCluster site = site()) {
      String add = "<sg:Add xmlns:sg=\"http://docs.oasis-open.org/wsrf/sg-2\"><sg:MemberEPR>"
          + "<a:Address xmlns:a=\"http://www.w3.org/2005/08/addressing\">http://member</a:Address></sg:MemberEPR>"
          + "<sg:Content/></sg:Add>";
      for (int i = 0; i < 2; i++) {
        Answer added = Wsrf.post(site, 1, "/services/ServiceGroup", add);
        assertEquals(200, added.status(), added.text());
        assertTrue(added.text().matches("(?s).*:CurrentTime [^>]*>20.*"), added.text());
      }
      String entries = Wsrf.post(site, 1, "/services/ServiceGroup",
          "<rp:GetResourceProperty xmlns:rp=\"http://docs.oasis-open.org/wsrf/rp-2\""
              + " xmlns:g=\"http://docs.oasis-open.org/wsrf/sg-2\">g:Entry</rp:GetResourceProperty>").body();
      assertEquals(3, entries.split(">http://member<", -1).length, entries);
    }
  }
}
