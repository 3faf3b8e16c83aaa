package org.understudy.soap.basefault;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.understudy.soap.addressing.Addressing;
import org.understudy.soap.xml.XmlText;

/** The detail of a fault after WS-BaseFaults 1.2, section 2. Immutable. */
public final class BaseFault {
  private static final String BF = "http://docs.oasis-open.org/wsrf/bf-2";

  private final FaultType type;
  private final Instant timestamp;
  private final String sentence;
  private final String originator;
  private final BaseFault cause;
  private final String extension;

  private BaseFault(
      FaultType type, Instant timestamp, String sentence, String originator, BaseFault cause, String extension) {
    this.type = type;
    this.timestamp = timestamp;
    this.sentence = sentence;
    this.originator = originator;
    this.cause = cause;
    this.extension = extension;
  }

  /**
   * @param timestamp when it happened
   * @param sentence what failed, on what, why, and what to do: the Description and the reason of the SOAP fault
   */
  public static BaseFault of(FaultType type, Instant timestamp, String sentence) {
    return new BaseFault(type, timestamp, sentence, null, null, "");
  }

  /** Returns this fault with the address of the WS-Resource that raised it; null: omitted. */
  public BaseFault originator(String address) {
    return new BaseFault(type, timestamp, sentence, address, cause, extension);
  }

  /** Returns this fault with its cause. */
  public BaseFault cause(BaseFault underlying) {
    return new BaseFault(type, timestamp, sentence, originator, underlying, extension);
  }

  /**
   * Returns this fault with the elements of its type, which follow those of the base. They declare every prefix they use
   * except the customary one of the type's element.
   */
  public BaseFault extension(String elements) {
    return new BaseFault(type, timestamp, sentence, originator, cause, elements);
  }

  /** As an exception. */
  public DeclaredFault declared() {
    StringBuilder detail = new StringBuilder(512);
    append(detail);
    return DeclaredFault.of(type.family(), type.sender(), sentence, detail.toString());
  }

  private void append(StringBuilder to) {
    String prefix = type.element().getPrefix().isEmpty() ? "f" : type.element().getPrefix();
    String name = prefix + ":" + type.element().getLocalPart();
    to.append('<').append(name).append(" xmlns:").append(prefix).append("=\"").append(type.element().getNamespaceURI());
    Instant at = timestamp.truncatedTo(ChronoUnit.MILLIS);
    to.append("\" xmlns:bf=\"").append(BF).append("\"><bf:Timestamp>").append(at).append("</bf:Timestamp>");
    if (originator != null) {
      to.append("<bf:Originator><wsa:Address xmlns:wsa=\"").append(Addressing.NAMESPACE).append("\">");
      to.append(XmlText.escape(originator)).append("</wsa:Address></bf:Originator>");
    }
    to.append("<bf:Description xml:lang=\"en\">").append(XmlText.escape(sentence)).append("</bf:Description>");
    if (cause != null) {
      to.append("<bf:FaultCause>");
      cause.append(to);
      to.append("</bf:FaultCause>");
    }
    to.append(extension).append("</").append(name).append('>');
  }
}
