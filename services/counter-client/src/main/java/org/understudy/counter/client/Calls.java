package org.understudy.counter.client;

import jakarta.xml.ws.WebServiceException;
import org.oasis_open.docs.wsrf.rw_2.ResourceUnknownFault;
import org.understudy.client.invocation.InvocationFailedException;
import org.understudy.counter.client.contract.UnknownCounter;

/** Reports every way in which a call can fail in one sentence. */
final class Calls {
  /** A call through a generated port, with the many faults that its contract declares. */
  @FunctionalInterface
  interface Call<T> {
    T run() throws Exception;
  }

  private Calls() {}

  /**
   * Calls.
   *
   * @param otherwise what to say that has happened if it fails, without full stop
   */
  static <T> T ask(String otherwise, Call<T> call) throws CounterException {
    try {
      return call.run();
    } catch (UnknownCounter | ResourceUnknownFault e) {
      throw new CounterException(otherwise + ": it does not exist or was destroyed.", e);
    } catch (WebServiceException e) {
      String why = InvocationFailedException.in(e).map(Throwable::getMessage).orElseGet(() -> reason(e));
      throw new CounterException(otherwise + ": " + why, e);
    } catch (Exception e) {
      throw new CounterException(otherwise + ": " + reason(e), e);
    }
  }

  /** The first reason that is given along the causes: some faults come without one. */
  private static String reason(Throwable failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause.getMessage() != null && !cause.getMessage().isBlank()) {
        return cause.getMessage();
      }
    }
    return "the service gives no reason (" + failure.getClass().getSimpleName() + "). See the log of the primary.";
  }
}
