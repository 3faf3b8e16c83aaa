package org.understudy.soap.envelope;

import javax.xml.stream.XMLStreamException;
import org.codehaus.stax2.XMLStreamReader2;
import org.understudy.soap.xml.ChildElements;

/** Reads a fault of SOAP 1.1 or 1.2, and returns the elements in its detail one by one. One thread, one pass. */
public final class FaultReader {
  private final XMLStreamReader2 in;
  private final SoapVersion version;
  private final ChildElements parts;
  private ChildElements details;
  private String code;
  private String reason;

  /** @param in on the start of the Fault */
  public FaultReader(XMLStreamReader2 in, SoapVersion version) {
    this.in = in;
    this.version = version;
    this.parts = new ChildElements(in);
  }

  /**
   * Moves to the start of the next element in the detail, skipping the rest of the last one.
   *
   * @return false after the last: the reader is on the end of the Fault
   */
  public boolean nextDetail() throws XMLStreamException {
    while (true) {
      if (details != null) {
        if (details.next()) {
          return true;
        }
        details = null;
      }
      if (!parts.next()) {
        return false;
      }
      switch (in.getLocalName()) {
        case "faultcode" -> code = local();
        case "faultstring" -> reason = in.getElementText();
        case "Code" -> {
          if (new ChildElements(in).next()) {
            code = local();
          }
        }
        case "Reason" -> {
          if (new ChildElements(in).next()) {
            reason = in.getElementText();
          }
        }
        case "detail", "Detail" -> details = new ChildElements(in);
        default -> {
          // The role does not describe the fault.
        }
      }
    }
  }

  /** SOAP's own code; Receiver for any other, and while none was read. */
  public SoapFault.Code code() {
    SoapFault.Code known = SoapFault.Code.RECEIVER;
    for (SoapFault.Code candidate : SoapFault.Code.values()) {
      known = candidate.in(version).equals(code) ? candidate : known;
    }
    return known;
  }

  /** The first reason text; empty while none was read. */
  public String reason() {
    return reason == null ? "" : reason;
  }

  /** The local part of a qualified name in text. */
  private String local() throws XMLStreamException {
    String name = in.getElementText().strip();
    return name.substring(name.indexOf(':') + 1);
  }
}
