package org.understudy.container.request;

import jakarta.servlet.ServletRequest;
import jakarta.servlet.http.HttpServletRequest;
import javax.xml.namespace.QName;
import org.understudy.container.operation.Operation;
import org.understudy.container.operation.Operations;
import org.understudy.soap.basefault.DeclaredFault;

/** What an execution and the interceptors in the service's stack tell each other, by attributes of the request. */
public final class ExecutionAttributes {
  /** The request attribute that holds the family of the response's fault, a {@link DeclaredFault.Family}. */
  private static final String FAMILY = ExecutionAttributes.class.getName() + ".family";
  /** The request attribute that holds the executed {@link Operation}. */
  private static final String OPERATION = ExecutionAttributes.class.getName() + ".operation";
  /** The request attribute that is true if the Body alone does not determine the operation. */
  private static final String SELECTED = ExecutionAttributes.class.getName() + ".selected";
  /** The request attribute that holds the copy of the service object with which the request is executed. */
  private static final String COPY = ExecutionAttributes.class.getName() + ".copy";
  /** The request attribute that is true when the service's stack has handed the message to the service. */
  private static final String HANDED_OVER = ExecutionAttributes.class.getName() + ".handedOver";

  private ExecutionAttributes() {}

  /**
   * Sets the attributes before the service's stack gets the request.
   *
   * @param selected whether the Body alone does not determine the operation
   * @param copy of the service object on which the request is executed; null for the object itself
   */
  static void begin(ServletRequest request, Operation operation, boolean selected, Object copy) {
    request.setAttribute(OPERATION, operation);
    request.setAttribute(HANDED_OVER, null);
    request.setAttribute(COPY, copy);
    request.setAttribute(SELECTED, selected);
  }

  /** Returns the family of the fault that the service has answered with; null if it has named none. */
  static DeclaredFault.Family family(ServletRequest request) {
    return request.getAttribute(FAMILY) instanceof DeclaredFault.Family named ? named : null;
  }

  /** Whether the service's stack has handed the message to the service. */
  static boolean isHandedOver(ServletRequest request) {
    return request.getAttribute(HANDED_OVER) != null;
  }

  /**
   * Records the family of the fault that the service returns for a request.
   *
   * @param request the transport's request, as the service's stack provides it; ignored if it is not a servlet request
   */
  public static void answersWith(Object request, DeclaredFault.Family family) {
    if (request instanceof ServletRequest servlet) {
      servlet.setAttribute(FAMILY, family);
    }
  }

  /**
   * Notes that the service's stack hands the message of a request to the service.
   *
   * @param request the transport's request, as the service's stack provides it; ignored if it is not a servlet request
   */
  public static void handedOver(Object request) {
    if (request instanceof ServletRequest servlet) {
      servlet.setAttribute(HANDED_OVER, true);
    }
  }

  /**
   * Returns the action that a request names; null for none.
   *
   * @param request the transport's request, as the service's stack provides it
   */
  public static String requestedAction(Object request) {
    return request instanceof HttpServletRequest named ? Operations.action(named) : null;
  }

  /**
   * Returns the name of the operation that a request executes; null if it is not executed here.
   *
   * @param request the transport's request, as the service's stack provides it
   */
  public static QName expectedOperation(Object request) {
    return request instanceof ServletRequest servlet && servlet.getAttribute(OPERATION) instanceof Operation operation
        ? operation.name()
        : null;
  }

  /**
   * Returns the copy of the service object on which a request is executed; null for the object itself.
   *
   * @param request the transport's request, as the service's stack provides it
   */
  public static Object copyFor(Object request) {
    return request instanceof ServletRequest servlet ? servlet.getAttribute(COPY) : null;
  }

  /** Returns {@link #expectedOperation} if the Body alone does not determine the operation; else null. */
  public static QName selectedOperation(Object request) {
    return request instanceof ServletRequest servlet && Boolean.TRUE.equals(servlet.getAttribute(SELECTED))
        ? expectedOperation(request)
        : null;
  }
}
