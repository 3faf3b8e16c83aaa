package org.understudy.client.envelope;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.understudy.replication.api.Certainty;
import org.understudy.replication.api.FailureCode;

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
  void theFaultOfAStandardBeforeOursHidesNothing(String soap, String type, String begin, String end) throws Exception {
    String envelope = "<s:Envelope xmlns:s='" + soap + "'><s:Body><s:Fault>" + begin + DETAIL + end
        + "</s:Fault></s:Body></s:Envelope>";
    Refusal refusal =
        AnswerReader.read(500, type, Map.of(), envelope.getBytes(StandardCharsets.UTF_8)).refusal();
    assertEquals(FailureCode.NotPrimary, refusal.code());
    assertEquals(Certainty.NOT_EXECUTED, refusal.certainty());
    assertEquals("no", refusal.text());
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
