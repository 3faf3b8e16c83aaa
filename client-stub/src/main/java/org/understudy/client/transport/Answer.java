package org.understudy.client.transport;

import com.ctc.wstx.stax.WstxInputFactory;
import java.io.ByteArrayInputStream;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import org.understudy.replication.api.FailureCode;
import org.understudy.replication.api.SessionId;
import org.understudy.replication.api.VersionHandle;

/**
 * What a replica said to us, in header, fault or answer of an operation of ours. Fields that were not there are null or 0.
 */
public final class Answer {
  private static final String NAMESPACE = "urn:understudy:replication:1";
  private static final WstxInputFactory FACTORY = factory();

  public FailureCode code;
  public String reason;
  public VersionHandle handle;
  public long epoch;
  public SessionId session;
  public long leaseSeconds;
  public boolean replayed;
  /** The members of a view or the alternatives of a fault, primary first. */
  public final List<URI> replicas = new ArrayList<>(4);

  private Answer() {}

  private static WstxInputFactory factory() {
    WstxInputFactory factory = new WstxInputFactory();
    factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
    return factory;
  }

  /**
   * Reads our header of a result and stops at its end: the body is the application's.
   *
   * @return an empty answer when there is none
   */
  public static Answer ofResult(byte[] bytes) {
    return read(bytes, true);
  }

  /** Reads a fault, or an answer of an operation of ours, to the end. */
  public static Answer ofMessage(byte[] bytes) {
    return read(bytes, false);
  }

  private static Answer read(byte[] bytes, boolean headerOnly) {
    Answer answer = new Answer();
    try {
      XMLStreamReader in = FACTORY.createXMLStreamReader(new ByteArrayInputStream(bytes));
      while (in.hasNext()) {
        int event = in.next();
        if (event != XMLStreamConstants.START_ELEMENT) {
          continue;
        }
        String name = in.getLocalName();
        if (headerOnly && name.equals("Body")) {
          return answer;
        }
        if (NAMESPACE.equals(in.getNamespaceURI())) {
          answer.take(name, in);
        } else if (name.equals("faultstring") || name.equals("Text")) {
          answer.reason = in.getElementText();
        }
      }
    } catch (XMLStreamException | IllegalArgumentException e) {
      answer.reason = "what arrived is no answer: " + e.getMessage();
    }
    return answer;
  }

  private void take(String name, XMLStreamReader in) throws XMLStreamException {
    switch (name) {
      case "Code" -> code = FailureCode.valueOf(in.getElementText());
      case "Epoch" -> epoch = Math.max(epoch, Long.parseLong(in.getElementText()));
      case "VersionHandle" -> handle = VersionHandle.parse(in.getElementText());
      case "Session" -> session = SessionId.parse(in.getElementText());
      case "LeaseSeconds" -> leaseSeconds = Long.parseLong(in.getElementText());
      case "Status" -> replayed = in.getElementText().equals("replayed");
      case "Replica" -> {
        boolean member = !"none".equals(in.getAttributeValue(null, "role"));
        URI address = URI.create(in.getElementText().strip());
        if (member) {
          replicas.add(address);
        }
      }
      default -> { }
    }
  }
}
