package org.understudy.outbox;

import java.nio.charset.StandardCharsets;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import org.codehaus.stax2.XMLStreamReader2;
import org.understudy.replication.api.Certainty;
import org.understudy.replication.api.FailureCode;
import org.understudy.replication.api.OutgoingReply;
import org.understudy.replication.soap.ReplicationFault;
import org.understudy.replication.soap.ResponseReader;
import org.understudy.replication.soap.SessionResponse;
import org.understudy.soap.envelope.EnvelopeCursor;
import org.understudy.soap.envelope.FaultBody;
import org.understudy.soap.envelope.SoapVersion;
import org.understudy.soap.xml.ElementText;
import org.understudy.soap.xml.ElementTree;
import org.understudy.soap.xml.HardenedXmlReader;
import org.understudy.soap.xml.XmlLimits;
import org.w3c.dom.Element;

/** Classifies the answer of a destination to a call. */
final class AnswerReader {
  private static final Set<FailureCode> IDENTITY_CODES =
      EnumSet.of(
          FailureCode.SessionExpired, FailureCode.StaleSequence, FailureCode.DigestMismatch, FailureCode.ReplyDiscarded);
  private static final Pattern SESSION = Pattern.compile("[0-9a-fA-F]{32}");
  private static final byte[] NO_BODY = new byte[0];
  /** Needs no limit of bytes: the transport limits the length of an answer. */
  private static final HardenedXmlReader READER = new HardenedXmlReader(XmlLimits.ofBounded(100_000));

  /** The class of an answer. */
  sealed interface Meaning {
    /** The call is answered. */
    record Answered(StoredReply reply) implements Meaning {}

    /**
     * The call is sent again.
     *
     * @param counted whether it counts as a failed attempt; temporary refusals do not
     * @param certain whether this attempt was certainly not executed
     */
    record Retry(String reason, boolean counted, boolean certain) implements Meaning {}

    /** A group will never have a result for the call's identity. The group may have executed the call. */
    record Refused(FailureCode code, String reason) implements Meaning {}

    /** The call was answered, but the answer is unusable. A retry could execute the call again. */
    record Unusable(String reason) implements Meaning {}
  }

  private AnswerReader() {}

  static Meaning read(int status, byte[] bytes) {
    boolean success = status >= 200 && status < 300;
    if (success && isBlank(bytes)) {
      return new Meaning.Answered(new StoredReply(OutgoingReply.Kind.RESULT, NO_BODY, ""));
    }
    String http = "HTTP status " + status;
    if (isBlank(bytes)) {
      return new Meaning.Retry(http, isCounted(status), false);
    }
    try {
      Meaning meaning = envelope(bytes);
      boolean result = meaning instanceof Meaning.Answered answered && answered.reply().kind() == OutgoingReply.Kind.RESULT;
      return result && !success ? new Meaning.Retry(http + " with a result", isCounted(status), false) : meaning;
    } catch (XMLStreamException | RuntimeException e) {
      String reason = http + " with a body that is not a SOAP envelope: " + HardenedXmlReader.reason(e);
      return success ? new Meaning.Unusable(reason) : new Meaning.Retry(reason, isCounted(status), false);
    }
  }

  /** An overload or a restart of the destination does not count against the call. */
  private static boolean isCounted(int status) {
    return status != 429 && status != 503;
  }

  private static boolean isBlank(byte[] bytes) {
    for (byte one : bytes) {
      if (one != ' ' && one != '\n' && one != '\r' && one != '\t') {
        return false;
      }
    }
    return true;
  }

  private static Meaning envelope(byte[] bytes) throws XMLStreamException {
    XMLStreamReader2 in = READER.open(bytes, 0, bytes.length, null);
    EnvelopeCursor envelope = new EnvelopeCursor(in);
    if (!envelope.open()) {
      throw new IllegalArgumentException("its root is " + in.getName());
    }
    Map<String, String> scope = new HashMap<>();
    ElementText.noteScope(in, scope);
    while (envelope.nextBlock()) {
      // Header blocks do not affect the class of the answer.
    }
    if (!envelope.isBody()) {
      throw new IllegalArgumentException("it has no Body");
    }
    ElementText.noteScope(in, scope);
    if (in.nextTag() != XMLStreamConstants.START_ELEMENT) {
      return new Meaning.Answered(new StoredReply(OutgoingReply.Kind.RESULT, NO_BODY, ""));
    }
    boolean fault = envelope.isSoap("Fault");
    byte[] body = ElementText.copy(in, scope, null).getBytes(StandardCharsets.UTF_8);
    return fault
        ? fault(bytes, body, envelope.version())
        : new Meaning.Answered(new StoredReply(OutgoingReply.Kind.RESULT, body, ""));
  }

  /**
   * The body of a stored reply as a tree, within the same limits as the answer that held it.
   *
   * @throws IllegalArgumentException when it is not one element
   */
  static Element element(byte[] body) {
    try {
      return ElementTree.read(READER.open(body, 0, body.length, "UTF-8")).getDocumentElement();
    } catch (XMLStreamException e) {
      throw new IllegalArgumentException("The stored reply cannot be read: " + HardenedXmlReader.reason(e), e);
    }
  }

  private static Meaning fault(byte[] bytes, byte[] body, SoapVersion version) throws XMLStreamException {
    ResponseReader response = new ResponseReader(READER.open(bytes, 0, bytes.length, null));
    response.readHeader();
    ReplicationFault refusal = response.readRefusal();
    FailureCode known = refusal == null ? null : refusal.known();
    if (refusal != null && !refusal.isTerminal()) {
      Certainty certainty = known == null ? refusal.certainty() : known.certainty();
      return new Meaning.Retry(refusal.code() + ": " + refusal.reason(), known == null, certainty == Certainty.NOT_EXECUTED);
    }
    if (known != null && IDENTITY_CODES.contains(known)) {
      return new Meaning.Refused(known, known + ": " + refusal.reason());
    }
    String reason = refusal == null ? FaultBody.ofEnvelope(version, bytes).reason() : refusal.reason();
    return new Meaning.Answered(new StoredReply(OutgoingReply.Kind.FAULT, body, reason));
  }

  /** Returns the session in a response to OpenSession, or null. */
  static String session(byte[] bytes) {
    try {
      XMLStreamReader2 in = READER.open(bytes, 0, bytes.length, null);
      new ResponseReader(in).readHeader();
      String session = SessionResponse.read(in).session();
      return session != null && SESSION.matcher(session).matches() ? session : null;
    } catch (XMLStreamException | RuntimeException e) {
      return null;
    }
  }
}
