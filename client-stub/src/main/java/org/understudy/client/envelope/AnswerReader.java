package org.understudy.client.envelope;

import java.net.URI;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import javax.xml.stream.XMLStreamException;
import org.codehaus.stax2.XMLStreamReader2;
import org.understudy.client.view.GroupView;
import org.understudy.client.view.ReplicaAddress;
import org.understudy.replication.api.Certainty;
import org.understudy.replication.api.FailureCode;
import org.understudy.replication.api.RequestClass;
import org.understudy.replication.api.VersionHandle;
import org.understudy.replication.api.VersionHandles;
import org.understudy.soap.envelope.EnvelopeCursor;
import org.understudy.soap.envelope.FaultReader;
import org.understudy.soap.envelope.SoapFault;
import org.understudy.soap.xml.ChildElements;
import org.understudy.soap.xml.HardenedXmlReader;
import org.understudy.soap.xml.XmlLimits;

/**
 * Looks for the replication header and the replication fault at the beginning of an answer, and reads the answers of the
 * session and failover operations. Reads no further than it must; CXF reads the same bytes again for the application.
 *
 * <p>Only the replication header distinguishes a result from a refusal. A service's fault may quote a {@code ReplicationFault} of
 * another service in its detail. Without the header, as from replicas of older versions, a refusal is a
 * {@code ReplicationFault} that is a direct child of the detail.
 */
public final class AnswerReader {
  static final String NAMESPACE = "urn:understudy:replication:1";
  private static final String REFUSED = "refused";
  /** The transport limits how long an answer is, and no more of it is read than must be. */
  private static final HardenedXmlReader READER = new HardenedXmlReader(XmlLimits.ofBounded(Integer.MAX_VALUE));

  private AnswerReader() {}

  /**
   * Reads an answer to an invocation.
   *
   * @throws MalformedAnswerException when the content type is XML and the bytes are not, or on a DOCTYPE
   */
  public static Answer read(int status, String contentType, Map<String, List<String>> headers, byte[] bytes)
      throws MalformedAnswerException {
    if (bytes.length == 0 || contentType == null || !isXml(contentType)) {
      return new Answer(status, contentType, headers, bytes, false, VersionHandles.NONE, 0, false, null);
    }
    try {
      return new Cursor(open(contentType, bytes)).answer(status, contentType, headers, bytes);
    } catch (XMLStreamException | IllegalArgumentException | IllegalStateException e) {
      throw new MalformedAnswerException("HTTP " + status + " with a response that is not SOAP: " + e.getMessage(), e);
    }
  }

  /**
   * Reads the body of an answer to OpenSession, RenewSession or AwaitView.
   *
   * @throws MalformedAnswerException when it is none of them
   */
  public static SessionAnswer readSession(Answer answer) throws MalformedAnswerException {
    try {
      return new Cursor(open(answer.contentType(), answer.bytes())).sessionAnswer();
    } catch (XMLStreamException | IllegalArgumentException | IllegalStateException e) {
      throw new MalformedAnswerException("The response of a session operation is invalid: " + e.getMessage(), e);
    }
  }

  private static boolean isXml(String contentType) {
    String type = contentType.toLowerCase(Locale.ROOT);
    return type.startsWith("text/xml") || type.startsWith("application/soap+xml")
        || type.startsWith("multipart/related");
  }

  private static XMLStreamReader2 open(String contentType, byte[] bytes) throws XMLStreamException {
    int from = 0;
    int to = bytes.length;
    if (contentType.regionMatches(true, 0, "multipart/", 0, 10)) {
      // The envelope is the first part. What stands behind it is not text.
      int line = Math.max(0, indexOf(bytes, 0, new byte[] {'\r', '\n'}));
      int headers = indexOf(bytes, 0, new byte[] {'\r', '\n', '\r', '\n'});
      byte[] delimiter = Arrays.copyOf(bytes, line);
      from = headers < 0 ? 0 : headers + 4;
      int next = indexOf(bytes, from, delimiter);
      to = line == 0 || next < 0 ? to : next;
    }
    return READER.open(bytes, from, to - from, null);
  }

  private static int indexOf(byte[] bytes, int from, byte[] sought) {
    for (int at = from; at + sought.length <= bytes.length; at++) {
      if (Arrays.equals(bytes, at, at + sought.length, sought, 0, sought.length)) {
        return at;
      }
    }
    return -1;
  }

  /** One pass over one envelope. */
  private static final class Cursor {
    private static final Pattern NUMBER = Pattern.compile("[0-9]{1,9}");

    private final XMLStreamReader2 in;
    private final EnvelopeCursor envelope;
    private VersionHandles versions = VersionHandles.NONE;
    /** The request's status from the replication header; null without header. */
    private String status;
    private long epoch;
    private String code;
    private String executed;
    private String text = "";
    private final List<ReplicaAddress> replicas = new ArrayList<>(0);

    Cursor(XMLStreamReader2 in) {
      this.in = in;
      this.envelope = new EnvelopeCursor(in);
    }

    Answer answer(int httpStatus, String contentType, Map<String, List<String>> headers, byte[] bytes)
        throws XMLStreamException {
      enterBody();
      Refusal refusal = null;
      boolean result = status != null && !status.equals(REFUSED);
      if (!result && new ChildElements(in).next() && envelope.isSoap("Fault")) {
        refusal = readFault();
      }
      if (refusal == null && REFUSED.equals(status)) {
        throw new IllegalStateException("a refusal without a ReplicationFault");
      }
      boolean replayed = "replayed".equals(status);
      return new Answer(httpStatus, contentType, headers, bytes, true, versions, epoch, replayed, refusal);
    }

    SessionAnswer sessionAnswer() throws XMLStreamException {
      enterBody();
      if (!new ChildElements(in).next() || !NAMESPACE.equals(in.getNamespaceURI()) || !in.getLocalName().endsWith("Response")) {
        throw new IllegalStateException("no response of a session operation");
      }
      String session = null;
      int lease = 0;
      long viewEpoch = 0;
      ChildElements children = new ChildElements(in);
      while (children.next()) {
        switch (in.getLocalName()) {
          case "Session" -> session = in.getElementText().trim();
          case "LeaseSeconds" -> lease = Integer.parseInt(in.getElementText().trim());
          case "VersionHandle", "ScopedHandle" -> readHandle();
          case "View" -> viewEpoch = readView();
          default -> {
            // What is not known here is passed over.
          }
        }
      }
      return new SessionAnswer(session, lease, versions, new GroupView(viewEpoch, replicas));
    }

    /** Reads the replication header, and moves to the start of the Body. */
    private void enterBody() throws XMLStreamException {
      if (!envelope.open()) {
        throw new IllegalStateException("its root is " + in.getName());
      }
      while (envelope.nextBlock()) {
        if (isOurs("ReplicationHeader")) {
          readHeader();
        }
      }
      if (!envelope.isBody()) {
        throw new IllegalStateException("no Body");
      }
    }

    private void readHeader() throws XMLStreamException {
      ChildElements children = new ChildElements(in);
      while (children.next()) {
        switch (in.getLocalName()) {
          case "VersionHandle", "ScopedHandle" -> readHandle();
          case "Status" -> status = in.getElementText().trim();
          case "Epoch" -> epoch = Long.parseLong(in.getElementText().trim());
          default -> {
            // What is not known here is passed over.
          }
        }
      }
    }

    private void readHandle() throws XMLStreamException {
      versions = versions.with(VersionHandle.parse(in.getElementText().trim()));
    }

    /** Reads the fault on whose start the reader stands; null when it is not a replica's. */
    private Refusal readFault() throws XMLStreamException {
      FaultReader fault = new FaultReader(in, envelope.version());
      while (fault.nextDetail()) {
        if (isOurs("ReplicationFault")) {
          text = fault.reason().trim();
          return readReplicationFault(fault.code() == SoapFault.Code.SENDER);
        }
      }
      return null;
    }

    private Refusal readReplicationFault(boolean blamesRequest) throws XMLStreamException {
      long known = 0;
      ChildElements children = new ChildElements(in);
      while (children.next()) {
        switch (in.getLocalName()) {
          case "Code" -> code = in.getElementText().trim();
          case "Executed" -> executed = in.getElementText().trim();
          case "Epoch" -> known = Long.parseLong(in.getElementText().trim());
          case "Alternatives" -> readReplicas();
          default -> {
            // What is not known here is passed over.
          }
        }
      }
      Certainty certainty =
          switch (String.valueOf(executed)) {
            case "no" -> Certainty.NOT_EXECUTED;
            case "yes" -> Certainty.EXECUTED;
            case "pending" -> Certainty.PENDING;
            default -> Certainty.UNKNOWN;
          };
      String name = String.valueOf(code);
      return new Refusal(known(name), name, certainty, blamesRequest, new GroupView(known, replicas), text);
    }

    /** Null for a code that this client does not know. */
    private static FailureCode known(String name) {
      for (FailureCode candidate : FailureCode.values()) {
        if (candidate.name().equals(name)) {
          return candidate;
        }
      }
      return null;
    }

    private long readView() throws XMLStreamException {
      long viewEpoch = 0;
      ChildElements children = new ChildElements(in);
      while (children.next()) {
        if (is("Epoch")) {
          viewEpoch = Long.parseLong(in.getElementText().trim());
        } else if (is("Replica")) {
          readReplica();
        }
      }
      return viewEpoch;
    }

    private void readReplicas() throws XMLStreamException {
      ChildElements children = new ChildElements(in);
      while (children.next()) {
        if (is("Replica")) {
          readReplica();
        }
      }
    }

    private void readReplica() throws XMLStreamException {
      String id = String.valueOf(in.getAttributeValue(null, "id"));
      String role = in.getAttributeValue(null, "role");
      String serves = in.getAttributeValue(null, "serves");
      String url = in.getElementText().trim();
      if (!NUMBER.matcher(id).matches() || url.isEmpty()) {
        return; // no replica that this client could call: a newer view may list other things
      }
      URI address = URI.create(url);
      int number = Integer.parseInt(id);
      replicas.add(
          serves == null
              ? ReplicaAddress.ofRole(number, role, address)
              : new ReplicaAddress(number, !"none".equals(role), classes(serves), address));
    }

    /** What a newer replica may list beside those that are known here is left out. */
    private static Set<RequestClass> classes(String names) {
      Set<RequestClass> classes = EnumSet.noneOf(RequestClass.class);
      List<String> listed = Arrays.asList(names.trim().split("\\s+"));
      for (RequestClass one : RequestClass.values()) {
        if (listed.contains(one.wireName())) {
          classes.add(one);
        }
      }
      return classes;
    }

    private boolean is(String name) {
      return name.equals(in.getLocalName());
    }

    private boolean isOurs(String name) {
      return is(name) && NAMESPACE.equals(in.getNamespaceURI());
    }
  }
}
