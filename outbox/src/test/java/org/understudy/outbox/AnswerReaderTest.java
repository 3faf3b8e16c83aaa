package org.understudy.outbox;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.understudy.outbox.AnswerReader.Meaning;
import org.understudy.replication.api.FailureCode;
import org.understudy.replication.api.OutgoingReply;
import org.understudy.soap.xml.Elements;

/** How the outbox classifies answers. */
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
  void aResultOfManyElementsIsReadForTheServiceToo() {
    StoredReply reply = reply(read(200, envelope("", "<n:all>" + "<n:one/>".repeat(20_000) + "</n:all>")));
    assertEquals(20_000, Elements.children(AnswerReader.element(reply.body())).size());
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
    assertEquals(counted, assertInstanceOf(Meaning.Retry.class, read(status, "")).counted());
    assertEquals(counted, assertInstanceOf(Meaning.Retry.class, read(status, "<html/>")).counted());
  }

  @ParameterizedTest
  @ValueSource(strings = {"plain", "<html/>", "<e:Envelope xmlns:e='" + SOAP11 + "'><e:Header/></e:Envelope>",
      "<e:Envelope xmlns:e='" + SOAP11 + "'><e:Body><a>", "<!DOCTYPE a><a/>", "--mime\r\n"})
  void anUnreadableSuccessIsNotRetried(String text) {
    assertInstanceOf(Meaning.Unusable.class, read(200, text));
  }

  @Test
  void aResultWithAFailureStatusIsRetried() {
    assertInstanceOf(Meaning.Retry.class, read(500, envelope("", "<n:done/>")));
  }

  @ParameterizedTest
  @CsvSource({"NotPrimary,true", "NoQuorum,true", "Overloaded,true", "NotReady,true", "StillPending,false",
      "OutcomeUnknown,false"})
  void aTemporaryRefusalOfAGroupIsRetried(String code, boolean certain) {
    assertEquals(new Meaning.Retry(code + ": why", false, certain), read(500, replicationFault("", code)));
  }

  @ParameterizedTest
  @EnumSource(names = {"BadRequest", "ExecutionFailed", "TooLarge", "TransactionAborted", "TransactionOutcomeUnknown"})
  void aTerminalRefusalOfAGroupIsAnAnswer(FailureCode code) {
    assertEquals(OutgoingReply.Kind.FAULT, reply(read(500, replicationFault("", code.name()))).kind());
  }

  @Test
  void aCodeOfANewerGroupIsJudgedByTheRestOfItsFault() {
    String fault = replicationFault("", "Busy");
    assertEquals(new Meaning.Retry("Busy: why", true, false), read(500, fault));
    String executed = "<ur:Executed>no</ur:Executed>";
    String notExecuted = fault.replace("</ur:Code>", "</ur:Code>" + executed);
    assertEquals(new Meaning.Retry("Busy: why", true, true), read(500, notExecuted));
    assertEquals(OutgoingReply.Kind.FAULT, reply(read(500, notExecuted.replace(">no<", ">yes<"))).kind());
    assertEquals(OutgoingReply.Kind.FAULT, reply(read(500, notExecuted.replace("e:Server", "e:Client"))).kind());
  }

  @ParameterizedTest
  @EnumSource(names = {"SessionExpired", "StaleSequence", "DigestMismatch", "ReplyDiscarded"})
  void aRefusedIdentityHasNoResult(FailureCode code) {
    assertEquals(new Meaning.Refused(code, code + ": why"), read(500, replicationFault("", code.name())));
  }

  @Test
  void aSessionIsReadOnlyFromAnOpenSessionResponse() {
    String id = "0123456789abcdef0123456789abcdef";
    String response = "<r:OpenSessionResponse xmlns:r='urn:understudy:replication:1'><r:Session>" + id
        + "</r:Session><r:LeaseSeconds>9</r:LeaseSeconds></r:OpenSessionResponse>";
    assertEquals(id, session(envelope("<n:a/>", response)));
    assertNull(session(envelope("", response.replace("0123", "zzzz"))));
    assertNull(session(envelope("", response.replace("OpenSessionResponse", "Response"))));
    assertNull(session(envelope("", "")));
    assertNull(session("no XML"));
    assertNull(session(response));
  }

  private static String session(String text) {
    return AnswerReader.session(text.getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void aFaultThatQuotesARefusalOfAnotherGroupIsAnAnswer() {
    String executed =
        "<ur:ReplicationHeader xmlns:ur='urn:understudy:replication:1'><ur:Status>executed</ur:Status></ur:ReplicationHeader>";
    assertEquals(OutgoingReply.Kind.FAULT, reply(read(500, replicationFault(executed, "NotReady"))).kind());
    String refused = executed.replace(">executed<", ">refused<");
    assertInstanceOf(Meaning.Retry.class, read(500, replicationFault(refused, "NotReady")));
  }
}
