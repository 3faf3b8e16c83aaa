package org.understudy.wsat.coordinator;

import com.arjuna.mwlabs.wscf.utils.ContextProvider;
import com.arjuna.mwlabs.wst11.at.ContextFactoryImple;
import com.arjuna.mwlabs.wst11.at.context.ArjunaContextImple;
import com.arjuna.wsc.InvalidCreateParametersException;
import jakarta.servlet.http.HttpServletRequest;
import java.util.concurrent.TimeUnit;
import org.apache.cxf.message.Message;
import org.apache.cxf.phase.PhaseInterceptorChain;
import org.apache.cxf.transport.http.AbstractHTTPDestination;
import org.oasis_open.docs.ws_tx.wscoor._2006._06.CoordinationContext;
import org.oasis_open.docs.ws_tx.wscoor._2006._06.CoordinationContextType;
import org.oasis_open.docs.ws_tx.wscoor._2006._06.Expires;
import org.understudy.container.caller.Caller;

/**
 * Creates transactions at a coordinator, within limits and a share for each client. Without them a client could keep any number open for
 * any time. A transaction counts until it expires, also if it ends before. Transactions inside another one are not created: they would
 * have no limit, and Narayana's recovery of them is not installed. WS-Coordination gives the time in milliseconds; Narayana reads seconds.
 * Narayana makes the one object by reflection. Thread-safe.
 */
@ContextProvider(
    coordinationType = ArjunaContextImple.coordinationType,
    serviceType = ArjunaContextImple.serviceType,
    contextImplementation = ArjunaContextImple.class)
public final class LimitedContexts extends ContextFactoryImple {
  /** Of a transaction whose creator names no time. */
  private static final long DEFAULT_MS = TimeUnit.SECONDS.toMillis(60);
  private static final long MAX_MS = TimeUnit.HOURS.toMillis(1);
  /** Narayana writes it before the id of a transaction. */
  private static final String URN = "urn:";

  /** Called by Narayana, by reflection. */
  public LimitedContexts() {
    DurableRegistrar.install();
  }

  @Override
  public CoordinationContext create(String type, Long expires, CoordinationContextType current, boolean secure)
      throws InvalidCreateParametersException {
    if (current != null) {
      throw new InvalidCreateParametersException(
          "This coordinator creates no transaction inside another one. Create the context without a CurrentContext.");
    }
    long wanted = expires == null || expires <= 0 ? DEFAULT_MS : Math.min(expires, MAX_MS);
    long seconds = Math.max(1, (wanted + 999) / 1_000);
    Activities activities = Activities.current();
    if (activities == null) {
      throw new InvalidCreateParametersException("This coordinator starts or ends. Retry later.");
    }
    String owner = owner();
    String full = activities.place(owner);
    if (full != null) {
      throw new InvalidCreateParametersException(full);
    }
    CoordinationContext context = null;
    try {
      context = super.create(type, seconds, null, secure);
    } finally {
      if (context == null) {
        activities.notBegun(owner);
      }
    }
    if (context == null) {
      throw new InvalidCreateParametersException("The transaction could not be begun. See the coordinator's log for the reason.");
    }
    String id = context.getIdentifier().getValue().substring(URN.length());
    activities.begun(id, owner, TimeUnit.SECONDS.toNanos(seconds));
    context.setRegistrationService(activities.ids().signed(context.getRegistrationService()));
    Expires stated = new Expires();
    stated.setValue(TimeUnit.SECONDS.toMillis(seconds));
    context.setExpires(stated);
    return context;
  }

  /** Returns the client that creates a transaction; the empty string for the web application itself. */
  private static String owner() {
    Message message = PhaseInterceptorChain.getCurrentMessage();
    Object request = message == null ? null : message.get(AbstractHTTPDestination.HTTP_REQUEST);
    return request instanceof HttpServletRequest http ? Caller.of(http).owner() : "";
  }
}
