package org.understudy.outbox;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.understudy.outbox.AnswerReader.Meaning;
import org.understudy.replication.api.OutgoingReply;
import org.understudy.soap.xml.Elements;

/** What answers mean for a call. */
class AnswerReaderTest {
  private static final String SOAP11 = "http://schemas.xmlsoap.org/soap/envelope/";
  private static final String SOAP12 = "http://www.w3.org/2003/05/soap-envelope";

  private static Meaning read(int status, String text) {
    return AnswerReader.read(status, text.getBytes(StandardCharsets.UTF_8));
  }

  private static String envelope(String header, String body) {
    return "<e:Envelope xmlns:e='" + SOAP11 + "' xmlns:n='urn:n'><e:Header>" + header + "</e:Header><e:Body>" + body
        + "</e:Body></e:Envelope>";
  }

  private static String replicationFault(String header, String code) {
    return envelope(
        header,
        "<e:Fault><faultcode>e:Server</faultcode><faultstring>why</faultstring><detail>"
            + "<ur:ReplicationFault xmlns:ur='urn:understudy:replication:1'><ur:Code>" + code
            + "</ur:Code></ur:ReplicationFault></detail></e:Fault>");
  }

  private static StoredReply reply(Meaning meaning) {
    return assertInstanceOf(Meaning.Answered.class, meaning, meaning.toString()).reply();
  }

  private static String body(StoredReply reply) {
    return new String(reply.body(), StandardCharsets.UTF_8);
  }

  @Test
  void aResultIsTheElementInTheBodyWithItsNamespaces() {
    StoredReply reply = reply(read(200, "<?xml version='1.0'?>" + envelope("<n:a/>", "<n:done type='n:t'>1</n:done>")));
    assertEquals(OutgoingReply.Kind.RESULT, reply.kind());
    assertEquals("1", Elements.read(reply.body()).getTextContent());
    assertEquals("urn:n", Elements.read(reply.body()).lookupNamespaceURI("n"));
  }

  @Test
  void anEmptyAnswerIsAResultWithoutBody() {
    assertEquals("", body(reply(read(202, ""))));
    assertEquals("", body(reply(read(200, " \r\n"))));
    assertEquals("", body(reply(read(200, envelope("", "")))));
  }

  @Test
  void aFaultIsAnAnswerInBothVersions() {
    StoredReply reply = reply(
        read(500, envelope("", "<e:Fault><faultcode>e:Client</faultcode><faultstring>sold out</faultstring></e:Fault>")));
    assertEquals(OutgoingReply.Kind.FAULT, reply.kind());
    assertEquals("sold out", reply.reason());
    StoredReply other = reply(read(400, "<e:Envelope xmlns:e='" + SOAP12 + "'><e:Body><e:Fault><e:Code><e:Value>e:Sender"
        + "</e:Value></e:Code><e:Reason><e:Text xml:lang='en'>no</e:Text></e:Reason></e:Fault></e:Body></e:Envelope>"));
    assertEquals("no", other.reason());
  }

  @ParameterizedTest
  @CsvSource({"500,true", "502,true", "404,true", "401,true", "302,true", "503,false", "429,false"})
  void withoutAnEnvelopeAFailureIsRetried(int status, boolean counted) {
    assertEquals(counted, assertInstanceOf(Meaning.Again.class, read(status, "")).counted());
    assertEquals(counted, assertInstanceOf(Meaning.Again.class, read(status, "<html/>")).counted());
  }

  @ParameterizedTest
  @ValueSource(strings = {"plain", "<html/>", "<e:Envelope xmlns:e='" + SOAP11 + "'><e:Header/></e:Envelope>",
      "<e:Envelope xmlns:e='" + SOAP11 + "'><e:Body><a>", "<!DOCTYPE a><a/>", "--mime\r\n"})
  void aSuccessThatCannotBeReadIsNotAskedForAgain(String text) {
    assertInstanceOf(Meaning.Unusable.class, read(200, text));
  }

  @Test
  void aResultWithAStatusOfFailureIsRetried() {
    assertInstanceOf(Meaning.Again.class, read(500, envelope("", "<n:done/>")));
  }

  @ParameterizedTest
  @ValueSource(strings = {"NotPrimary", "NoQuorum", "Overloaded", "NotReady", "StillPending", "OutcomeUnknown"})
  void aGroupThatRefusesForTheMomentIsAskedAgain(String code) {
    assertEquals(new Meaning.Again(code + ": why", false), read(500, replicationFault("", code)));
  }

  @Test
  void aGroupThatRefusesForGoodHasAnswered() {
    assertEquals(OutgoingReply.Kind.FAULT, reply(read(500, replicationFault("", "ExecutionFailed"))).kind());
  }

  @Test
  void aFaultThatQuotesARefusalOfAnotherGroupIsAnAnswer() {
    String executed =
        "<ur:ReplicationHeader xmlns:ur='urn:understudy:replication:1'><ur:Status>executed</ur:Status></ur:ReplicationHeader>";
    assertEquals(OutgoingReply.Kind.FAULT, reply(read(500, replicationFault(executed, "NotReady"))).kind());
    String refused = executed.replace(">executed<", ">refused<");
    assertInstanceOf(Meaning.Again.class, read(500, replicationFault(refused, "NotReady")));
  }
}
