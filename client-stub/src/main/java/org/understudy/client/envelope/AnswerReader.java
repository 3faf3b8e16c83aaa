package org.understudy.client.envelope;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import org.codehaus.stax2.XMLStreamReader2;
import org.understudy.client.view.GroupView;
import org.understudy.client.view.ReplicaAddress;
import org.understudy.replication.api.RequestClass;
import org.understudy.replication.api.VersionHandles;
import org.understudy.replication.soap.ListedReplica;
import org.understudy.replication.soap.ListedView;
import org.understudy.replication.soap.ReplicationFault;
import org.understudy.replication.soap.ResponseHeader;
import org.understudy.replication.soap.ResponseReader;
import org.understudy.replication.soap.SessionResponse;
import org.understudy.soap.xml.HardenedXmlReader;
import org.understudy.soap.xml.XmlLimits;

/**
 * Reads the replication header or fault at the beginning of an answer, and the answers of the session and failover
 * operations. Reads no further than necessary; CXF reads the same bytes again for the application.
 */
public final class AnswerReader {
  /** The transport limits the length of an answer. */
  private static final HardenedXmlReader READER = new HardenedXmlReader(XmlLimits.ofBounded(Integer.MAX_VALUE));

  private static final int OK = 200;

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
      return answer(status, contentType, headers, bytes);
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
      XMLStreamReader2 in = open(answer.contentType(), answer.bytes());
      ResponseHeader header = new ResponseReader(in).readHeader();
      SessionResponse response = SessionResponse.read(in);
      return new SessionAnswer(
          response.session(), response.leaseSeconds(), header.versions().merge(response.versions()), view(response.view()));
    } catch (XMLStreamException | IllegalArgumentException | IllegalStateException e) {
      throw new MalformedAnswerException("The response of a session operation is invalid: " + e.getMessage(), e);
    }
  }

  /**
   * Reads the text of a field of the first element in an answer's Body.
   *
   * @return null when there is none
   * @throws MalformedAnswerException when the answer is invalid
   */
  public static String text(Answer answer, String field) throws MalformedAnswerException {
    try {
      XMLStreamReader2 in = open(answer.contentType(), answer.bytes());
      new ResponseReader(in).readHeader();
      while (in.hasNext()) {
        if (in.next() == XMLStreamConstants.START_ELEMENT && field.equals(in.getLocalName())) {
          return in.getElementText().strip();
        }
      }
      return null;
    } catch (XMLStreamException | IllegalArgumentException | IllegalStateException e) {
      throw new MalformedAnswerException("The response is invalid: " + e.getMessage(), e);
    }
  }

  /**
   * Whether the content of a response is complete, as far as it shows that: a status 200 has content, XML ends with its last tag, and a
   * multipart message with its last delimiter.
   */
  public static boolean isWhole(int status, String contentType, byte[] bytes) {
    if (bytes.length == 0) {
      return status != OK;
    }
    if (contentType == null || !isXml(contentType)) {
      return true;
    }
    if (contentType.regionMatches(true, 0, "multipart/", 0, 10)) {
      return new String(bytes, StandardCharsets.ISO_8859_1).stripTrailing().endsWith("--");
    }
    try {
      XMLStreamReader2 in = open(contentType, bytes);
      while (in.hasNext()) {
        in.next();
      }
      return true;
    } catch (XMLStreamException e) {
      return false;
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
      // The envelope is the first part. The following parts are not text.
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

  private static Answer answer(int status, String contentType, Map<String, List<String>> headers, byte[] bytes)
      throws XMLStreamException {
    ResponseReader response = new ResponseReader(open(contentType, bytes));
    ResponseHeader header = response.readHeader();
    ReplicationFault fault = response.readRefusal();
    boolean replayed = ResponseHeader.REPLAYED.equals(header.status());
    return new Answer(
        status, contentType, headers, bytes, true, header.versions(), header.epoch(), replayed, fault == null ? null : refusal(fault));
  }

  private static Refusal refusal(ReplicationFault fault) {
    return new Refusal(
        fault.known(), fault.code(), fault.certainty(), fault.blamesRequest(), view(fault.view()), fault.target(),
        fault.reason());
  }

  private static GroupView view(ListedView view) {
    return new GroupView(view.epoch(), view.replicas().stream().map(AnswerReader::address).toList());
  }

  private static ReplicaAddress address(ListedReplica replica) {
    URI address = URI.create(replica.url());
    return replica.serves() == null
        ? ReplicaAddress.ofRole(replica.id(), replica.role(), address)
        : new ReplicaAddress(replica.id(), !"none".equals(replica.role()), classes(replica.serves()), address);
  }

  /** Skips classes of requests that only a newer replica knows. */
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
}
