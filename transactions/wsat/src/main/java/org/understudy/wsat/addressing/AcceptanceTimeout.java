package org.understudy.wsat.addressing;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.cxf.message.Message;

/**
 * How long this server waits until a message without a reply is accepted: the votes and decisions. Without it CXF waits a minute for a
 * server that stands still, and the transaction with it. A message that is not accepted is sent again. Narayana is static, so there is one
 * value for each class loader. Thread-safe.
 */
public final class AcceptanceTimeout {
  private static final int PART = 4;
  private static final long MIN_MS = 1_000;
  private static final AtomicLong MILLIS = new AtomicLong(MIN_MS);

  private AcceptanceTimeout() {}

  /** Sets it to a quarter of the time for which a coordinator waits for a vote, and at least a second. */
  public static void use(Duration vote) {
    MILLIS.set(Math.max(MIN_MS, vote.toMillis() / PART));
  }

  /** Sets it in the properties of a request. */
  static void limit(Map<String, Object> request) {
    request.put(Message.CONNECTION_TIMEOUT, MILLIS.get());
    request.put(Message.RECEIVE_TIMEOUT, MILLIS.get());
  }
}
