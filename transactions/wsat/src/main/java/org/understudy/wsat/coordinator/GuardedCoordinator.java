package org.understudy.wsat.coordinator;

import com.arjuna.webservices.SoapFault;
import com.arjuna.webservices11.wsarj.ArjunaContext;
import com.arjuna.webservices11.wsat.AtomicTransactionConstants;
import com.arjuna.webservices11.wsat.CoordinatorInboundEvents;
import com.arjuna.webservices11.wsat.processors.CoordinatorProcessor;
import org.jboss.ws.api.addressing.MAP;
import org.oasis_open.docs.ws_tx.wsat._2006._06.Notification;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.understudy.replication.runtime.handshake.RefusalLog;
import org.understudy.wsat.addressing.InstanceIds;

/** Receives the answers of participants, and drops those that do not name their registration by its unguessable id. Thread-safe. */
final class GuardedCoordinator extends CoordinatorProcessor {
  private static final Logger LOG = LoggerFactory.getLogger(GuardedCoordinator.class);

  private final CoordinatorProcessor narayana;
  private final InstanceIds ids;
  private final RefusalLog log = new RefusalLog();

  GuardedCoordinator(CoordinatorProcessor narayana, InstanceIds ids) {
    this.narayana = narayana;
    this.ids = ids;
  }

  private boolean isKnown(ArjunaContext context) {
    boolean known = ids.verify(context) != null;
    if (!known) {
      LOG.debug("A message of a participant is dropped, because it names no registration by its InstanceIdentifier.");
    }
    return known;
  }

  @Override
  public void prepared(Notification prepared, MAP map, ArjunaContext context) {
    if (isKnown(context)) {
      narayana.prepared(prepared, map, context);
    }
  }

  @Override
  public void readOnly(Notification readOnly, MAP map, ArjunaContext context) {
    if (isKnown(context)) {
      narayana.readOnly(readOnly, map, context);
    }
  }

  @Override
  public void aborted(Notification aborted, MAP map, ArjunaContext context) {
    if (isKnown(context)) {
      narayana.aborted(aborted, map, context);
    }
  }

  @Override
  public void committed(Notification committed, MAP map, ArjunaContext context) {
    if (isKnown(context)) {
      narayana.committed(committed, map, context);
    }
  }

  @Override
  public void soapFault(SoapFault fault, MAP map, ArjunaContext context) {
    if (isKnown(context)) {
      warn(fault, context.getInstanceIdentifier().getInstanceIdentifier());
      narayana.soapFault(fault, map, context);
    }
  }

  /** Narayana keeps such a decision, and logs its own codes only. */
  private void warn(SoapFault fault, String participant) {
    if (AtomicTransactionConstants.WSAT_ERROR_CODE_INCONSISTENT_INTERNAL_STATE_QNAME.equals(fault.getSubcode())
        && log.isDue(participant, System.nanoTime())) {
      LOG.error(
          "The participant {} answered InconsistentInternalState to this coordinator's decision, for example because an operator has "
              + "decided otherwise: {} Its transaction is not atomic. Ask the participant's operator to repair the data.",
          RefusalLog.printable(participant), RefusalLog.printable(fault.getReason()));
    }
  }

  @Override
  public void activateCoordinator(CoordinatorInboundEvents coordinator, String identifier) {
    narayana.activateCoordinator(coordinator, identifier);
  }

  @Override
  public void deactivateCoordinator(CoordinatorInboundEvents coordinator) {
    narayana.deactivateCoordinator(coordinator);
  }

  @Override
  public CoordinatorInboundEvents getCoordinator(String identifier) {
    return narayana.getCoordinator(identifier);
  }
}
