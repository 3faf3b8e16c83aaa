package org.understudy.soap.basefault;

import org.understudy.soap.addressing.Addressing;

/** A fault that a standard declares for an operation, or that reports an invalid message. */
public final class DeclaredFault extends Exception {
  private static final long serialVersionUID = 1L;

  /** Who caused the fault; selects the action of its message. */
  public enum Family {
    /** WS-Addressing 1.0, SOAP binding, section 6. */
    SOAP(Addressing.SOAP_FAULT_ACTION),
    WSRF("http://docs.oasis-open.org/wsrf/fault"),
    WSN("http://docs.oasis-open.org/wsn/fault");

    private final String action;

    Family(String action) {
      this.action = action;
    }

    public String action() {
      return action;
    }
  }

  private final Family family;
  private final boolean sender;
  private final String detail;

  private DeclaredFault(Family family, boolean sender, String sentence, String detail) {
    super(sentence, null, false, false);
    this.family = family;
    this.sender = sender;
    this.detail = detail;
  }

  /**
   * A fault with one element of detail.
   *
   * @param sender whether the request was wrong, rather than the receiver unable
   * @param detail an element that declares every prefix it uses
   */
  public static DeclaredFault of(Family family, boolean sender, String sentence, String detail) {
    return new DeclaredFault(family, sender, sentence, detail);
  }

  /** The message itself is wrong; there is no detail. */
  public static DeclaredFault badMessage(String sentence) {
    return new DeclaredFault(Family.SOAP, true, sentence, "");
  }

  public Family family() {
    return family;
  }

  public boolean sender() {
    return sender;
  }

  public String detail() {
    return detail;
  }
}
