package org.understudy.container.interceptor;

import jakarta.xml.ws.WebServiceException;
import jakarta.xml.ws.soap.SOAPFaultException;
import java.util.regex.Pattern;
import org.apache.cxf.binding.soap.SoapFault;
import org.apache.cxf.interceptor.Fault;
import org.apache.cxf.message.FaultMode;
import org.apache.cxf.message.Message;
import org.apache.cxf.phase.AbstractPhaseInterceptor;
import org.apache.cxf.phase.Phase;
import org.understudy.replication.api.UnknownResourceException;

/**
 * Removes server internals from the texts of faults. A fault that the service did not declare has a fixed text. At an endpoint of the
 * application's own it has that of its exception, as faults of the service's stack have. Such a text is truncated, and Java class names
 * are removed, as in a fault of the stack about an invalid request.
 */
public final class FaultTexts extends AbstractPhaseInterceptor<Message> {
  /** The text that a client receives for a fault that the service did not declare. */
  public static final String FAILED = "The service failed. See the server's log for the reason.";
  private static final int MAX_CHARS = 512;
  /** Qualified names of classes, for example {@code java.lang.String: } at the start of a text. */
  private static final Pattern CLASS_NAME = Pattern.compile("\\b(?:[a-z_][a-z0-9_]*\\.){2,}[A-Z][\\w$]*(?::\\s*)?");

  /** Whether the texts of exceptions that the service did not declare are replaced. */
  private final boolean fixed;

  /** @param fixed whether the text of an exception that the service did not declare is replaced */
  public FaultTexts(boolean fixed) {
    super(Phase.PRE_STREAM);
    this.fixed = fixed;
  }

  @Override
  public void handleMessage(Message message) {
    if (!(message.getContent(Exception.class) instanceof Fault fault) || fault instanceof StoredFault) {
      return;
    }
    FaultMode mode = message.get(FaultMode.class);
    if (mode == FaultMode.CHECKED_APPLICATION_FAULT || isChosenByService(fault)) {
      return;
    }
    if (!fixed) {
      fault.setMessage(sanitize(fault.getMessage()));
      return;
    }
    boolean ofSender = fault.getFaultCode() != null && isSender(fault.getFaultCode().getLocalPart());
    fault.setMessage(!ofSender || fault.getCause() instanceof RuntimeException ? FAILED : sanitize(fault.getMessage()));
  }

  private static boolean isSender(String code) {
    return code.equalsIgnoreCase("client") || code.equals("Sender") || code.equals("MustUnderstand")
        || code.equals("VersionMismatch");
  }

  /** Whether the service itself chose the text of the fault. */
  private static boolean isChosenByService(Fault fault) {
    Throwable cause = fault.getCause();
    return cause instanceof SOAPFaultException
        || cause instanceof SoapFault
        || cause instanceof UnknownResourceException
        || cause == null && fault instanceof SoapFault && fault.hasDetails()
        || cause instanceof WebServiceException wrapper && wrapper.getCause() instanceof SOAPFaultException;
  }

  /** @param text null for none, where the service's stack sends a text of its own */
  static String sanitize(String text) {
    if (text == null) {
      return null;
    }
    String plain = CLASS_NAME.matcher(text).replaceAll("");
    return plain.length() <= MAX_CHARS ? plain : plain.substring(0, MAX_CHARS) + " …";
  }
}
