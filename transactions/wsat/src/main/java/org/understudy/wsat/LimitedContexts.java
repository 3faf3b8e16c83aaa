package org.understudy.wsat;

import com.arjuna.mwlabs.wscf.utils.ContextProvider;
import com.arjuna.mwlabs.wst11.at.ContextFactoryImple;
import com.arjuna.mwlabs.wst11.at.context.ArjunaContextImple;
import com.arjuna.wsc.InvalidCreateParametersException;
import java.util.PriorityQueue;
import java.util.concurrent.TimeUnit;
import org.oasis_open.docs.ws_tx.wscoor._2006._06.CoordinationContext;
import org.oasis_open.docs.ws_tx.wscoor._2006._06.CoordinationContextType;
import org.oasis_open.docs.ws_tx.wscoor._2006._06.Expires;

/**
 * Creates transactions at a coordinator, within limits. Without them a client could keep any number open for any time. A transaction counts
 * until it expires, also if it ends before. Transactions inside another one are not created: they would have no limit, and Narayana's
 * recovery of them is not installed. WS-Coordination gives the time in milliseconds; Narayana reads seconds. Narayana makes the one
 * object by reflection. Thread-safe.
 */
@ContextProvider(
    coordinationType = ArjunaContextImple.coordinationType,
    serviceType = ArjunaContextImple.serviceType,
    contextImplementation = ArjunaContextImple.class)
public final class LimitedContexts extends ContextFactoryImple {
  /** Of a transaction whose creator names no time. */
  private static final long DEFAULT_MS = TimeUnit.SECONDS.toMillis(60);
  private static final long MAX_MS = TimeUnit.HOURS.toMillis(1);
  private static final int MAX_OPEN = 10_000;

  /** When each transaction expires, in nanoseconds of {@code System.nanoTime}. Guarded by itself. */
  private final PriorityQueue<Long> expiries = new PriorityQueue<>((one, other) -> Long.signum(one - other));

  @Override
  public CoordinationContext create(String type, Long expires, CoordinationContextType current, boolean secure)
      throws InvalidCreateParametersException {
    if (current != null) {
      throw new InvalidCreateParametersException(
          "This coordinator creates no transaction inside another one. Create the context without a CurrentContext.");
    }
    long wanted = expires == null || expires <= 0 ? DEFAULT_MS : Math.min(expires, MAX_MS);
    long seconds = Math.max(1, (wanted + 999) / 1_000);
    count(TimeUnit.SECONDS.toNanos(seconds));
    CoordinationContext context = super.create(type, seconds, null, secure);
    Expires stated = new Expires();
    stated.setValue(TimeUnit.SECONDS.toMillis(seconds));
    context.setExpires(stated);
    return context;
  }

  private void count(long lifetime) throws InvalidCreateParametersException {
    long now = System.nanoTime();
    synchronized (expiries) {
      while (!expiries.isEmpty() && expiries.peek() - now < 0) {
        expiries.remove();
      }
      if (expiries.size() >= MAX_OPEN) {
        throw new InvalidCreateParametersException(
            "This coordinator has reached its limit of " + MAX_OPEN + " transactions that have not expired. Retry later.");
      }
      expiries.add(now + lifetime);
    }
  }
}
