package org.understudy.client;

import jakarta.xml.ws.WebServiceException;
import org.understudy.replication.api.Certainty;

/**
 * An invocation got no result. The message names the addresses that were tried and what each said last. Thrown by
 * operations of a fault-tolerant port, directly or as the cause of another {@link WebServiceException}.
 */
public final class InvocationFailedException extends WebServiceException {
  private static final long serialVersionUID = 1L;
  private final Certainty certainty;

  public InvocationFailedException(String message, Certainty certainty, Throwable cause) {
    super(message, cause);
    this.certainty = certainty;
  }

  /** Whether the operation may have been executed. */
  public Certainty certainty() {
    return certainty;
  }
}
