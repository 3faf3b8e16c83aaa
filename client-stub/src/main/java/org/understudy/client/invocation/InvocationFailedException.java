package org.understudy.client.invocation;

import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.Optional;
import org.understudy.replication.api.Certainty;
import org.understudy.replication.api.FailureCode;

/**
 * Thrown when a fault-tolerant invocation has no result. Lists every address tried and whether the call may have been
 * executed.
 *
 * <p>JAX-WS callers get it as the cause of a {@code jakarta.xml.ws.WebServiceException} with the same message (an
 * asynchronous caller finds both under the {@code ExecutionException}); {@link #in(Throwable)} finds it. A service's own
 * fault is a result and never thrown as this exception.
 */
public class InvocationFailedException extends IOException {
  private static final long serialVersionUID = 1L;

  /**
   * A replica that was tried.
   *
   * @param address its URL
   * @param reason why its last attempt failed, for people
   */
  public record Tried(URI address, String reason) implements java.io.Serializable {
    @Override
    public String toString() {
      return address + ": " + reason;
    }
  }

  private final List<Tried> tried;
  private final Certainty certainty;
  private final FailureCode code;

  /**
   * @param what the first words of the message
   * @param tried in the order of the first attempt
   * @param code the refusal that ended it, or null
   * @param cause the last I/O error, or null
   */
  public InvocationFailedException(
      String what, List<Tried> tried, Certainty certainty, FailureCode code, Throwable cause) {
    super(message(what, tried, certainty), cause);
    this.tried = List.copyOf(tried);
    this.certainty = certainty;
    this.code = code;
  }

  /** Every address tried, with its last reason; empty when none was. */
  public List<Tried> tried() {
    return tried;
  }

  /**
   * Whether the call may have been executed. {@link Certainty#NOT_EXECUTED} only when every attempt was refused without an
   * execution or reached no replica; then it is safe to invoke again. After {@link Certainty#PENDING} and {@link
   * Certainty#UNKNOWN} a new invocation may be a second execution.
   */
  public Certainty certainty() {
    return certainty;
  }

  /** The refusal that ended the invocation, such as SessionExpired; empty when time ran out or no replica was reached. */
  public Optional<FailureCode> code() {
    return Optional.ofNullable(code);
  }

  /** Finds this exception among the causes of what a JAX-WS call threw. */
  public static Optional<InvocationFailedException> in(Throwable thrown) {
    for (Throwable t = thrown; t != null; t = t.getCause()) {
      if (t instanceof InvocationFailedException failed) {
        return Optional.of(failed);
      }
    }
    return Optional.empty();
  }

  private static String message(String what, List<Tried> tried, Certainty certainty) {
    StringBuilder text = new StringBuilder(what).append(switch (certainty) {
      case NOT_EXECUTED -> "; the call was not executed.";
      case EXECUTED -> "; the call was executed, but its result is no longer kept.";
      case PENDING -> "; the call is still pending and may yet take effect.";
      case UNKNOWN -> "; the call may or may not have been executed.";
    });
    tried.forEach(one -> text.append(" [").append(one).append(']'));
    return text.toString();
  }
}
