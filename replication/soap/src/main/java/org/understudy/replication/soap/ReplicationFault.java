package org.understudy.replication.soap;

import javax.xml.stream.XMLStreamException;
import org.codehaus.stax2.XMLStreamReader2;
import org.understudy.replication.api.Certainty;
import org.understudy.replication.api.FailureCode;
import org.understudy.soap.envelope.FaultReader;
import org.understudy.soap.envelope.SoapFault;
import org.understudy.soap.xml.ChildElements;

/**
 * The reason why a request has no result, in the detail of its fault.
 *
 * @param code the name of a {@link FailureCode}, or an unknown one of a newer version; "null" when it is missing
 * @param certainty whether the request was executed, as the replica reports it
 * @param blamesRequest whether the SOAP fault declares the request invalid, so that every replica would reject it
 * @param view the view of that replica; without replicas when it does not report them
 * @param target the number of the replica to which the request should be sent; 0 for none
 * @param reason the fault string
 */
public record ReplicationFault(
    String code, Certainty certainty, boolean blamesRequest, ListedView view, int target, String reason) {
  private static final String CODE = "Code";
  private static final String EXECUTED = "Executed";
  private static final String ALTERNATIVES = "Alternatives";
  private static final String TARGET = "Target";

  /** Returns null for an unknown code of a newer version. */
  public FailureCode known() {
    for (FailureCode candidate : FailureCode.values()) {
      if (candidate.name().equals(code)) {
        return candidate;
      }
    }
    return null;
  }

  /** Whether no retry of the same request can succeed. A code of a newer version is judged by the rest of the fault. */
  public boolean isTerminal() {
    FailureCode known = known();
    return known == null ? blamesRequest || certainty == Certainty.EXECUTED : known.isTerminal();
  }

  /**
   * Writes the header block and the detail of a response without result.
   *
   * @param detail the header again for a fault that has no detail in SOAP 1.1, because it is about a header block
   * @param view the view of this replica
   * @param target the number of the replica to which the request should be sent; 0 for none
   */
  public static void append(StringBuilder header, StringBuilder detail, FailureCode code, ListedView view, int target) {
    ResponseHeader.appendRefusal(header, view.epoch());
    String name = ReplicationNames.FAULT.getLocalPart();
    detail.append(ReplicationNames.open(name)).append("<ur:" + CODE + ">").append(code).append("</ur:" + CODE + ">");
    detail.append("<ur:" + EXECUTED + ">").append(text(code.certainty())).append("</ur:" + EXECUTED + ">");
    detail.append("<ur:" + ReplicationNames.EPOCH + ">").append(view.epoch()).append("</ur:" + ReplicationNames.EPOCH + ">");
    detail.append("<ur:" + ALTERNATIVES + ">");
    view.replicas().forEach(replica -> replica.append(detail));
    detail.append("</ur:" + ALTERNATIVES + ">");
    if (target != 0) {
      detail.append("<ur:" + TARGET + ">").append(target).append("</ur:" + TARGET + ">");
    }
    detail.append("</ur:").append(name).append('>');
  }

  /** Returns this fault with what the SOAP fault says. */
  ReplicationFault in(FaultReader fault) {
    return new ReplicationFault(code, certainty, fault.code() == SoapFault.Code.SENDER, view, target, fault.reason().trim());
  }

  static ReplicationFault read(XMLStreamReader2 in) throws XMLStreamException {
    String code = null;
    String executed = null;
    long epoch = 0;
    ListedView view = ListedView.NONE;
    int target = 0;
    ChildElements children = new ChildElements(in);
    while (children.next()) {
      switch (in.getLocalName()) {
        case CODE -> code = in.getElementText().trim();
        case EXECUTED -> executed = in.getElementText().trim();
        case ReplicationNames.EPOCH -> epoch = Long.parseLong(in.getElementText().trim());
        case ALTERNATIVES -> view = ListedView.read(in);
        case TARGET -> target = Integer.parseInt(in.getElementText().trim());
        default -> {
          // Ignores unknown elements.
        }
      }
    }
    return new ReplicationFault(
        String.valueOf(code), certainty(executed), false, new ListedView(epoch, view.replicas()), target, "");
  }

  private static String text(Certainty certainty) {
    return switch (certainty) {
      case NOT_EXECUTED -> "no";
      case EXECUTED -> "yes";
      case PENDING -> "pending";
      case UNKNOWN -> "unknown";
    };
  }

  private static Certainty certainty(String executed) {
    for (Certainty one : Certainty.values()) {
      if (text(one).equals(executed)) {
        return one;
      }
    }
    return Certainty.UNKNOWN;
  }
}
