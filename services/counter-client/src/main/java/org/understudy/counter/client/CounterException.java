package org.understudy.counter.client;

/** A counter could not be used. The message is one sentence for people: what happened, to what, what to do. */
public final class CounterException extends Exception {
  private static final long serialVersionUID = 1L;

  public CounterException(String message, Throwable cause) {
    super(message, cause);
  }
}
