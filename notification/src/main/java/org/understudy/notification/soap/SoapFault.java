package org.understudy.notification.soap;

import javax.xml.namespace.QName;

/** A request that is no good as a SOAP message; no operation was begun. Immutable; without a stack trace. */
public final class SoapFault extends Exception {
  private static final long serialVersionUID = 1L;

  /** Whose fault it is (SOAP 1.1, section 4.4.1; SOAP 1.2 part 1, section 5.4.6). */
  public enum Code {
    /** The request's. */
    SENDER("Client", "Sender"),
    /** This server's. */
    RECEIVER("Server", "Receiver"),
    /** A header block that must be understood is not. */
    MUST_UNDERSTAND("MustUnderstand", "MustUnderstand"),
    /** The envelope is of no known version. */
    VERSION_MISMATCH("VersionMismatch", "VersionMismatch");

    private final String soap11;
    private final String soap12;

    Code(String soap11, String soap12) {
      this.soap11 = soap11;
      this.soap12 = soap12;
    }

    String in(SoapVersion version) {
      return version == SoapVersion.SOAP11 ? soap11 : soap12;
    }
  }

  private final Code code;
  private final QName subcode;
  private final int httpStatus;

  /**
   * A fault.
   *
   * @param subcode more precisely; null: nothing more
   * @param httpStatus 400 to 599, or 0 for what the version's HTTP binding says
   */
  public SoapFault(Code code, QName subcode, int httpStatus, String reason) {
    super(reason, null, false, false);
    this.code = code;
    this.subcode = subcode;
    this.httpStatus = httpStatus;
  }

  /** The request is no good. */
  public static SoapFault sender(String reason) {
    return new SoapFault(Code.SENDER, null, 0, reason);
  }

  /** Whose fault. */
  public Code code() {
    return code;
  }

  /** More precisely; may be null. */
  public QName subcode() {
    return subcode;
  }

  /** The HTTP status to answer with; 0 for what the version's HTTP binding says. */
  public int httpStatus() {
    return httpStatus;
  }
}
