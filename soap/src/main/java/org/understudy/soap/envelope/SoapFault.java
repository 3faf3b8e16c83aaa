package org.understudy.soap.envelope;

import java.util.List;
import javax.xml.namespace.QName;
import org.understudy.soap.addressing.Addressing;

/** Thrown for a request that is an invalid SOAP message; no operation was begun. Immutable; without a stack trace. */
public final class SoapFault extends Exception {
  private static final long serialVersionUID = 1L;
  private static final int MAX_REASON_CHARS = 1_024;

  /** The code of the fault (SOAP 1.1, section 4.4.1; SOAP 1.2 part 1, section 5.4.6). */
  public enum Code {
    /** The request is at fault. */
    SENDER("Client", "Sender"),
    /** This server is at fault. */
    RECEIVER("Server", "Receiver"),
    /** A header block that must be understood is unknown. */
    MUST_UNDERSTAND("MustUnderstand", "MustUnderstand"),
    /** The version of the envelope is unknown. */
    VERSION_MISMATCH("VersionMismatch", "VersionMismatch");

    private final String soap11;
    private final String soap12;

    Code(String soap11, String soap12) {
      this.soap11 = soap11;
      this.soap12 = soap12;
    }

    /** The local name of the code. */
    public String in(SoapVersion version) {
      return version == SoapVersion.SOAP11 ? soap11 : soap12;
    }
  }

  private final Code code;
  private final transient List<QName> subcodes;
  private final transient QName problemHeader;
  private final transient List<QName> notUnderstood;
  private final int httpStatus;
  private final boolean ofHeader;

  private SoapFault(
      Code code,
      List<QName> subcodes,
      QName problemHeader,
      List<QName> notUnderstood,
      int httpStatus,
      boolean ofHeader,
      String reason) {
    super(shortened(reason), null, false, false);
    this.code = code;
    this.subcodes = subcodes;
    this.problemHeader = problemHeader;
    this.notUnderstood = notUnderstood;
    this.httpStatus = httpStatus;
    this.ofHeader = ofHeader;
  }

  /**
   * A fault with its code alone.
   *
   * @param httpStatus 400 to 599, or 0 for the status of the version's HTTP binding
   */
  public static SoapFault of(Code code, int httpStatus, String reason) {
    return new SoapFault(code, List.of(), null, List.of(), httpStatus, code == Code.VERSION_MISMATCH, reason);
  }

  /** Truncated, because a reason may quote a long request. */
  private static String shortened(String reason) {
    return reason.length() <= MAX_REASON_CHARS ? reason : reason.substring(0, MAX_REASON_CHARS) + " …";
  }

  /** The request is invalid. */
  public static SoapFault sender(String reason) {
    return of(Code.SENDER, 0, reason);
  }

  /** A header block is invalid. */
  public static SoapFault invalidHeader(String reason) {
    return new SoapFault(Code.SENDER, List.of(), null, List.of(), 0, true, reason);
  }

  /** The document is not an envelope of SOAP 1.1 or 1.2 (SOAP 1.2 part 1, section 5.4.7). */
  public static SoapFault versionMismatch() {
    return of(Code.VERSION_MISMATCH, 0, "The request is not a SOAP 1.1 or 1.2 envelope.");
  }

  /** Header blocks that must be understood are unknown here (SOAP 1.2 part 1, section 5.4.8). */
  public static SoapFault notUnderstood(List<QName> headers) {
    return new SoapFault(
        Code.MUST_UNDERSTAND, List.of(), null, List.copyOf(headers), 0, true,
        "Unknown header blocks with mustUnderstand: " + headers + ".");
  }

  /**
   * {@code wsa:InvalidAddressingHeader} (WS-Addressing 1.0 SOAP Binding, section 6.4.1).
   *
   * @param subsubcode the local name of the second subcode, for example {@code InvalidCardinality}
   * @param header the local name of the invalid header block
   */
  static SoapFault invalidAddressing(String subsubcode, String header, String reason) {
    return new SoapFault(
        Code.SENDER, List.of(Addressing.name("InvalidAddressingHeader"), Addressing.name(subsubcode)),
        Addressing.name(header), List.of(), 0, true, reason);
  }

  /** The action of the transport is another one than that of WS-Addressing (SOAP Binding, sections 2.4 and 6.4.1.5). */
  public static SoapFault actionMismatch(String transport, String addressing) {
    return invalidAddressing(
        "ActionMismatch", "Action",
        "The request has the wsa:Action " + addressing + " and another action in SOAPAction or the Content-Type, " + transport
            + ". Send the same in both, or none there.");
  }

  /** The code. */
  public Code code() {
    return code;
  }

  /** The subcodes, from the outermost to the innermost; may be empty. */
  public List<QName> subcodes() {
    return subcodes;
  }

  /**
   * The HTTP status to answer with.
   *
   * @param sender see {@link SoapVersion#httpStatus}
   */
  public int httpStatus(SoapVersion version, int sender) {
    return httpStatus == 0 ? version.httpStatus(code, sender) : httpStatus;
  }

  /**
   * Whether the fault is about the Header or the envelope, and not about the Body. Then it has no detail in SOAP 1.1 (section 4.4): what
   * would be there is a header block.
   */
  public boolean isOfHeader() {
    return ofHeader;
  }

  /** The {@code wsa:Action} of the message (WS-Addressing 1.0 SOAP Binding, section 6). */
  public String action() {
    return subcodes.isEmpty() ? Addressing.SOAP_FAULT_ACTION : Addressing.FAULT_ACTION;
  }

  /**
   * The header blocks that go with the fault: {@code NotUnderstood} and {@code Upgrade} of SOAP 1.2, and in SOAP 1.1, whose
   * detail may not speak of headers, {@code wsa:FaultDetail}. Each declares every prefix it uses but {@code xml}.
   */
  public String headerBlocks(SoapVersion version) {
    StringBuilder blocks = new StringBuilder();
    if (code == Code.VERSION_MISMATCH) {
      blocks.append("<up:Upgrade xmlns:up=\"").append(SoapVersion.SOAP12.namespace()).append("\">");
      for (SoapVersion supported : List.of(SoapVersion.SOAP12, SoapVersion.SOAP11)) {
        blocks.append("<up:SupportedEnvelope xmlns:e=\"").append(supported.namespace()).append("\" qname=\"e:Envelope\"/>");
      }
      blocks.append("</up:Upgrade>");
    }
    if (version == SoapVersion.SOAP12) {
      notUnderstood.forEach(name -> blocks.append(notUnderstoodBlock(name)));
    } else if (problemHeader != null) {
      blocks.append("<wsa:FaultDetail xmlns:wsa=\"").append(Addressing.NAMESPACE).append("\">");
      blocks.append(problem()).append("</wsa:FaultDetail>");
    }
    return blocks.toString();
  }

  /** The content of the detail, as text; may be empty. */
  public String detail(SoapVersion version) {
    return version == SoapVersion.SOAP12 && problemHeader != null ? problem() : "";
  }

  /** The header block {@code NotUnderstood} of SOAP 1.2 for a header. */
  public static String notUnderstoodBlock(QName header) {
    StringBuilder block = new StringBuilder("<nu:NotUnderstood xmlns:nu=\"").append(SoapVersion.SOAP12.namespace());
    if (header.getNamespaceURI().isEmpty()) {
      return block.append("\" qname=\"").append(header.getLocalPart()).append("\"/>").toString();
    }
    String uri =
        header.getNamespaceURI().replace("&", "&amp;").replace("<", "&lt;").replace("\"", "&quot;");
    return block.append("\" xmlns:h=\"").append(uri).append("\" qname=\"h:").append(header.getLocalPart()).append("\"/>")
        .toString();
  }

  private String problem() {
    return "<wsa:ProblemHeaderQName xmlns:wsa=\"" + Addressing.NAMESPACE + "\">wsa:" + problemHeader.getLocalPart()
        + "</wsa:ProblemHeaderQName>";
  }
}
