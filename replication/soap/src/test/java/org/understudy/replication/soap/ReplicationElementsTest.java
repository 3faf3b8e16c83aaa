package org.understudy.replication.soap;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.UUID;
import javax.xml.stream.XMLStreamException;
import org.codehaus.stax2.XMLStreamReader2;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.understudy.replication.api.FailureCode;
import org.understudy.replication.api.ReadLevel;
import org.understudy.replication.api.SessionId;
import org.understudy.replication.api.VersionHandle;
import org.understudy.replication.api.VersionHandles;
import org.understudy.soap.envelope.EnvelopeWriter;
import org.understudy.soap.envelope.MessageProperties;
import org.understudy.soap.envelope.SoapFault;
import org.understudy.soap.envelope.SoapVersion;
import org.understudy.soap.xml.HardenedXmlReader;

/** What one end writes, the other reads. */
class ReplicationElementsTest {
  private static final String SESSION = "0123456789abcdef0123456789abcdef";
  private static final ListedView VIEW =
      new ListedView(
          4,
          List.of(
              new ListedReplica(2, "primary", "update session", "http://h/2?a&b"),
              new ListedReplica(3, "none", "", "http://h/3")));

  private static XMLStreamReader2 open(String xml) throws XMLStreamException {
    byte[] bytes = xml.getBytes(StandardCharsets.UTF_8);
    return HardenedXmlReader.openBounded(bytes, bytes.length);
  }

  private static XMLStreamReader2 root(String xml) throws XMLStreamException {
    XMLStreamReader2 in = open(xml);
    in.nextTag();
    return in;
  }

  private static int target(FailureCode code) {
    return code == FailureCode.Redirected ? 2 : 0;
  }

  private static String fault(FailureCode code, SoapFault.Code blame, String headerBlocks) {
    StringBuilder header = new StringBuilder();
    StringBuilder detail = new StringBuilder();
    ReplicationFault.append(header, detail, code, VIEW, target(code));
    EnvelopeWriter envelope = new EnvelopeWriter(SoapVersion.SOAP11);
    envelope.addressing(null, MessageProperties.UNUSED, new UUID(1, 2)).blocks(headerBlocks == null ? header.toString() : headerBlocks);
    String body = EnvelopeWriter.faultBody(SoapVersion.SOAP11, blame, List.of(), "Not now.", detail.toString());
    return new String(envelope.body(body), StandardCharsets.UTF_8);
  }

  private static String header(String content) {
    return ReplicationNames.OPEN_HEADER + content + ReplicationNames.CLOSE_HEADER;
  }

  private static ReplicationHeader request(String content) throws XMLStreamException {
    return ReplicationHeader.read(root(header(content)));
  }

  @Test
  void theHeaderOfARequest() throws XMLStreamException {
    HeaderBlock block = new HeaderBlock();
    VersionHandles seen = VersionHandles.NONE.with(VersionHandle.parse("3.17")).with(VersionHandle.parse("other:2.5"));
    for (boolean forward : new boolean[] {true, false}) {
      TransactionReference transaction = forward ? new TransactionReference("urn:t:1", "orders") : null;
      block.inTransaction(transaction);
      block.write(SESSION, 7, 5, seen, 4, 2, forward ? "session" : null, forward);
      String xml = new String(block.bytes(), 0, block.count(), StandardCharsets.US_ASCII);
      assertTrue(xml.contains("<ur:ScopedHandle>other:2.5</ur:ScopedHandle>"), xml);
      assertEquals(
          new ReplicationHeader(
              SessionId.parse(SESSION), 7, 5, VersionHandle.parse("3.17"), 4, 2, forward ? ReadLevel.SESSION : null, forward, null,
              transaction),
          ReplicationHeader.read(root(xml)));
    }
    ReplicationHeader wish = ReplicationHeader.read(root(ReplicationHeader.FORWARD_ONLY));
    assertTrue(wish.forward());
    assertNull(wish.session());
    assertNull(wish.action());
  }

  @Test
  void theDeclarationOfARequest() throws XMLStreamException {
    assertEquals(ActionType.READ, request("<ur:ActionType>read</ur:ActionType>").action());
    assertEquals(ActionType.UPDATE, request("<ur:ActionType> update </ur:ActionType>").action());
  }

  @Test
  void unknownFieldsOfARequestArePassedOver() throws XMLStreamException {
    assertEquals(3, request("<ur:New><ur:Epoch>9</ur:Epoch></ur:New><ur:Epoch>3</ur:Epoch>").epoch());
  }

  @ParameterizedTest
  @ValueSource(strings = {
    "<ur:Sequence>-1</ur:Sequence>",
    "<ur:Sequence>1e3</ur:Sequence>",
    "<ur:Session>" + SESSION + "</ur:Session>",
    "<ur:Session>" + SESSION + "</ur:Session><ur:Sequence>1</ur:Sequence><ur:AckBelow>2</ur:AckBelow>",
    "<ur:VersionHandle>other:1.1</ur:VersionHandle>",
    "<ur:ScopedHandle>other:1</ur:ScopedHandle>",
    "<ur:ScopedHandle>other:1.281474976710657</ur:ScopedHandle>",
    "<ur:ScopedHandle>1.1</ur:ScopedHandle>",
    "<ur:ScopedHandle>group:1.1</ur:ScopedHandle>",
    "<ur:Epoch>281474976710657</ur:Epoch>",
    "<ur:ActionType>Read</ur:ActionType>",
    "<ur:Transaction/>",
    "<ur:Transaction><ur:Id>a b</ur:Id></ur:Transaction>",
    "<ur:Transaction><ur:Id>a</ur:Id><ur:Id>b</ur:Id></ur:Transaction>",
    "<ur:Transaction><ur:Id>a</ur:Id><ur:Coordinator>b</ur:Coordinator><ur:Coordinator>c</ur:Coordinator></ur:Transaction>",
    "<ur:Transaction><ur:Id>a</ur:Id></ur:Transaction><ur:Transaction><ur:Id>a</ur:Id></ur:Transaction>",
    "<ur:ReadLevel>exact</ur:ReadLevel>"})
  void invalidValuesOfARequestAreRefused(String content) {
    assertThrows(IllegalArgumentException.class, () -> request(content));
  }

  @ParameterizedTest
  @ValueSource(strings = {
    "<ur:Session>" + SESSION + "</ur:Session>",
    "<ur:Sequence>1</ur:Sequence>",
    "<ur:AckBelow>1</ur:AckBelow>",
    "<ur:VersionHandle>1.1</ur:VersionHandle>",
    "<ur:Epoch>1</ur:Epoch>",
    "<ur:Attempt>1</ur:Attempt>",
    "<ur:ReadLevel>local</ur:ReadLevel>",
    "<ur:ActionType>read</ur:ActionType>",
    "<ur:Forward>true</ur:Forward>"})
  void fieldThatOccursTwiceIsRefused(String field) throws XMLStreamException {
    String others = field.contains("Session") ? "<ur:Sequence>1</ur:Sequence>" : "";
    request(others + field);
    assertThrows(IllegalArgumentException.class, () -> request(field + others + field));
  }

  @Test
  void aLongValueOfARequestIsRefused() {
    assertThrows(IllegalArgumentException.class, () -> request("<ur:Session>" + "0".repeat(513) + "</ur:Session>"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"3.17", "other:2.5"})
  void theHeaderOfAResult(String handle) throws XMLStreamException {
    StringBuilder block = new StringBuilder();
    ResponseHeader.append(block, ResponseHeader.REPLAYED, VersionHandle.parse(handle), 4);
    String xml =
        new String(new EnvelopeWriter(SoapVersion.SOAP12).blocks(block.toString()).body("<a/>"), StandardCharsets.UTF_8);
    ResponseReader response = new ResponseReader(open(xml));
    ResponseHeader read = response.readHeader();
    assertEquals(
        new ResponseHeader(ResponseHeader.REPLAYED, VersionHandles.NONE.with(VersionHandle.parse(handle)), 4), read);
    assertTrue(read.isResult());
    assertNull(response.readRefusal());
  }

  @ParameterizedTest
  @EnumSource(FailureCode.class)
  void aRefusal(FailureCode code) throws XMLStreamException {
    ResponseReader response = new ResponseReader(open(fault(code, SoapFault.Code.SENDER, null)));
    assertTrue(response.readHeader().isRefusal());
    ReplicationFault refusal = response.readRefusal();
    assertEquals(new ReplicationFault(code.name(), code.certainty(), true, VIEW, target(code), "Not now."), refusal);
    assertEquals(code, refusal.known());
  }

  @Test
  void withoutHeaderAFaultOfReplicationIsARefusal() throws XMLStreamException {
    ResponseReader response = new ResponseReader(open(fault(FailureCode.NotReady, SoapFault.Code.RECEIVER, "")));
    assertFalse(response.readHeader().isResult());
    assertEquals("NotReady", response.readRefusal().code());
  }

  @Test
  void aServiceThatQuotesARefusalHasAResult() throws XMLStreamException {
    String result = header("<ur:Status>later</ur:Status>");
    ResponseReader response = new ResponseReader(open(fault(FailureCode.NotReady, SoapFault.Code.RECEIVER, result)));
    assertTrue(response.readHeader().isResult());
    assertNull(response.readRefusal());
  }

  @Test
  void aRefusalWithoutItsFaultIsInvalid() throws XMLStreamException {
    String refused = header("<ur:Status>refused</ur:Status>");
    String xml = new String(new EnvelopeWriter(SoapVersion.SOAP11).blocks(refused).body("<a/>"), StandardCharsets.UTF_8);
    ResponseReader response = new ResponseReader(open(xml));
    response.readHeader();
    assertThrows(IllegalStateException.class, response::readRefusal);
  }

  @Test
  void aCodeOfANewerVersionIsNotKnown() throws XMLStreamException {
    String xml = fault(FailureCode.NotReady, SoapFault.Code.RECEIVER, null).replace("NotReady", "Asleep");
    ResponseReader response = new ResponseReader(open(xml));
    response.readHeader();
    ReplicationFault refusal = response.readRefusal();
    assertEquals("Asleep", refusal.code());
    assertNull(refusal.known());
  }

  @Test
  void entriesOfAViewThatNoClientCouldCallArePassedOver() throws XMLStreamException {
    String xml = "<ur:View xmlns:ur='" + ReplicationNames.NAMESPACE + "'><ur:Epoch>4</ur:Epoch><ur:Replica id='x'>u</ur:Replica>"
        + "<ur:Replica id='1'/><ur:New/><ur:Replica id='2' role='primary'>http://h/2</ur:Replica></ur:View>";
    assertEquals(
        new ListedView(4, List.of(new ListedReplica(2, "primary", null, "http://h/2"))), ListedView.read(root(xml)));
  }

  private static SessionResponse session(String response) throws XMLStreamException {
    XMLStreamReader2 in = open(new String(new EnvelopeWriter(SoapVersion.SOAP11).body(response), StandardCharsets.UTF_8));
    new ResponseReader(in).readHeader();
    return SessionResponse.read(in);
  }

  @Test
  void theResponsesOfTheSessionOperations() throws XMLStreamException {
    VersionHandle handle = VersionHandle.parse("3.17");
    assertEquals(
        new SessionResponse(SESSION, 60, VersionHandles.NONE.with(handle), VIEW),
        session(SessionResponse.opened(SessionId.parse(SESSION), 60, handle, VIEW)));
    assertEquals(60, session(SessionResponse.renewed(60)).leaseSeconds());
    assertEquals(VIEW, session(SessionResponse.awaited(VIEW)).view());
    assertEquals(new SessionResponse(null, 0, VersionHandles.NONE, ListedView.NONE), session(SessionResponse.closed()));
    assertThrows(IllegalStateException.class, () -> session("<a/>"));
    assertThrows(
        IllegalStateException.class, () -> session(SessionResponse.closed().replace("CloseSessionResponse", "OtherResponse")));
  }

  @Test
  void theIdOfAResource() throws XMLStreamException {
    assertEquals("a<b", ResourceId.read(root(ResourceId.of("a<b"))));
  }
}
