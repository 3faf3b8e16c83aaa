package org.understudy.client.envelope;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.understudy.client.view.GroupView;
import org.understudy.client.view.ReplicaAddress;
import org.understudy.replication.api.Certainty;
import org.understudy.replication.api.FailureCode;
import org.understudy.replication.api.RequestClass;

class AnswerReaderTest {
  /** As a replica answers to an operation of a standard: see the page on the wire format, Faults. */
  private static final String DETAIL =
      "<f:ResourceUnavailableFault xmlns:f='http://docs.oasis-open.org/wsrf/r-2'"
          + " xmlns:bf='http://docs.oasis-open.org/wsrf/bf-2'><bf:Timestamp>2026-01-01T00:00:00Z</bf:Timestamp>"
          + "<bf:Description xml:lang='en'>Ask the primary.</bf:Description>"
          + "</f:ResourceUnavailableFault><ur:ReplicationFault xmlns:ur='urn:understudy:replication:1'>"
          + "<ur:Code>NotPrimary</ur:Code><ur:Executed>no</ur:Executed><ur:Epoch>4</ur:Epoch><ur:Alternatives>"
          + "<ur:Replica id='2' role='primary'>http://h/s</ur:Replica></ur:Alternatives></ur:ReplicationFault>";

  @ParameterizedTest
  @CsvSource(delimiter = '|', quoteCharacter = '`', value = {
      "http://schemas.xmlsoap.org/soap/envelope/|text/xml|<faultcode>s:Server</faultcode><faultstring>no</faultstring>"
          + "<detail>|</detail>",
      "http://www.w3.org/2003/05/soap-envelope|application/soap+xml|<s:Code><s:Value>s:Receiver</s:Value></s:Code><s:Reason>"
          + "<s:Text xml:lang='en'>no</s:Text></s:Reason><s:Detail>|</s:Detail>"})
  void standardFaultBeforeTheReplicationFaultIsSkipped(String soap, String type, String begin, String end) throws Exception {
    String envelope = "<s:Envelope xmlns:s='" + soap + "'><s:Body><s:Fault>" + begin + DETAIL + end
        + "</s:Fault></s:Body></s:Envelope>";
    Refusal refusal =
        AnswerReader.read(500, type, Map.of(), envelope.getBytes(StandardCharsets.UTF_8)).refusal();
    assertEquals(FailureCode.NotPrimary, refusal.code());
    assertEquals(Certainty.NOT_EXECUTED, refusal.certainty());
    assertEquals("no", refusal.text());
    assertEquals(4, refusal.view().epoch());
  }

  private static List<ReplicaAddress> replicasIn(String entries) throws Exception {
    String detail = "<ur:ReplicationFault xmlns:ur='urn:understudy:replication:1'><ur:Code>NotPrimary</ur:Code><ur:Executed>no"
        + "</ur:Executed><ur:Epoch>4</ur:Epoch><ur:Alternatives>" + entries + "</ur:Alternatives></ur:ReplicationFault>";
    return refusalIn("", detail).view().replicas();
  }

  @Test
  void aReplicaServesWhatTheViewListsWhateverItsRole() throws Exception {
    List<ReplicaAddress> replicas = replicasIn(
        "<ur:Replica id='2' role='primary' serves='update local-read'>http://h/2</ur:Replica>"
            + "<ur:Replica id='3' role='backup' serves='update dance'>http://h/3</ur:Replica>"
            + "<ur:Replica id='4' role='witness' serves=''>http://h/4</ur:Replica>"
            + "<ur:Replica id='1' role='none' serves=''>http://h/1</ur:Replica>");
    assertEquals(Set.of(RequestClass.UPDATE, RequestClass.LOCAL_READ), replicas.get(0).serves());
    assertEquals(Set.of(RequestClass.UPDATE), replicas.get(1).serves(), "what is unknown here is left out");
    assertEquals(new ReplicaAddress(4, true, Set.of(), URI.create("http://h/4")), replicas.get(2));
    assertEquals(new ReplicaAddress(1, false, Set.of(), URI.create("http://h/1")), replicas.get(3));
    GroupView view = new GroupView(4, replicas);
    assertEquals(List.of(URI.create("http://h/2"), URI.create("http://h/3")), view.servers());
  }

  @Test
  void aViewOfAnOlderReplicaNamesRolesOnly() throws Exception {
    List<ReplicaAddress> replicas = replicasIn(
        "<ur:Replica id='2' role='primary'>http://h/2</ur:Replica><ur:Replica id='3' role='senior'>http://h/3</ur:Replica>"
            + "<ur:Replica id='1' role='none'>http://h/1</ur:Replica>");
    assertEquals(Set.of(RequestClass.values()), replicas.get(0).serves());
    assertEquals(Set.of(RequestClass.SESSION_READ, RequestClass.LOCAL_READ), replicas.get(1).serves());
    assertEquals(new ReplicaAddress(1, false, Set.of(), URI.create("http://h/1")), replicas.get(2));
  }

  @Test
  void entriesThatNameNoReplicaAreLeftOut() throws Exception {
    List<ReplicaAddress> replicas = replicasIn(
        "<ur:Replica id='gateway'>http://h/g</ur:Replica><ur:Replica role='backup'>http://h/n</ur:Replica>"
            + "<ur:Replica id='3' role='backup'> </ur:Replica><ur:Site>east</ur:Site>"
            + "<ur:Replica id='2' role='primary'>http://h/2</ur:Replica>");
    assertEquals(List.of(ReplicaAddress.ofRole(2, "primary", URI.create("http://h/2"))), replicas);
  }

  @Test
  void unknownCodeKeepsItsNameAndCertainty() throws Exception {
    Refusal refusal = refusalIn("refused", DETAIL.replace("NotPrimary", "Throttled"));
    assertNull(refusal.code());
    assertEquals("Throttled", refusal.name());
    assertEquals(Certainty.NOT_EXECUTED, refusal.certainty());
    assertFalse(refusal.blamesRequest());
    assertEquals(4, refusal.view().epoch());
  }

  private static Refusal refusalIn(String header, String detail) throws Exception {
    String soap = "http://schemas.xmlsoap.org/soap/envelope/";
    String block = header.isEmpty() ? ""
        : "<s:Header><u:ReplicationHeader xmlns:u='urn:understudy:replication:1'><u:Status>" + header
            + "</u:Status><u:Epoch>4</u:Epoch></u:ReplicationHeader></s:Header>";
    String envelope = "<s:Envelope xmlns:s='" + soap + "'>" + block + "<s:Body><s:Fault><faultcode>s:Server</faultcode>"
        + "<faultstring>no</faultstring><detail>" + detail + "</detail></s:Fault></s:Body></s:Envelope>";
    return AnswerReader.read(500, "text/xml", Map.of(), envelope.getBytes(StandardCharsets.UTF_8)).refusal();
  }

  @ParameterizedTest
  @CsvSource({"executed", "replayed", "read"})
  void aServiceFaultThatQuotesAnotherGroupsRefusalIsAResult(String status) throws Exception {
    assertNull(refusalIn(status, DETAIL));
    assertNull(refusalIn(status, "<x:Text xmlns:x='urn:x'><x:y/></x:Text>" + DETAIL));
  }

  @Test
  void withTheHeaderOfARefusalItIsOne() throws Exception {
    assertEquals(FailureCode.NotPrimary, refusalIn("refused", DETAIL).code());
  }

  @Test
  void withoutAHeaderARefusalStandsDirectlyInTheDetail() throws Exception {
    assertEquals(FailureCode.NotPrimary, refusalIn("", DETAIL).code());
    assertNull(refusalIn("", "<x:Cause xmlns:x='urn:x'>" + DETAIL + "</x:Cause>"));
  }

  @Test
  void theEnvelopeOfAMultipartAnswerEndsBeforeItsAttachments() throws Exception {
    String envelope = "<s:Envelope xmlns:s='http://schemas.xmlsoap.org/soap/envelope/'><s:Header>"
        + "<u:ReplicationHeader xmlns:u='urn:understudy:replication:1'><u:Status>replayed</u:Status></u:ReplicationHeader>"
        + "</s:Header><s:Body><a/></s:Body></s:Envelope>";
    String message = "--b\r\nContent-Type: application/xop+xml\r\n\r\n" + envelope
        + "\r\n--b\r\nContent-ID: <1>\r\n\r\n\u00ac\u00ff\r\n--b--\r\n";
    Answer answer = AnswerReader.read(
        200, "multipart/related; boundary=b", Map.of(), message.getBytes(StandardCharsets.ISO_8859_1));
    assertTrue(answer.replayed());
  }
}
