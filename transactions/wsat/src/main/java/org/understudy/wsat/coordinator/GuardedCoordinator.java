package org.understudy.wsat.coordinator;

import com.arjuna.webservices.SoapFault;
import com.arjuna.webservices11.wsaddr.EndpointHelper;
import com.arjuna.webservices11.wsaddr.NativeEndpointReference;
import com.arjuna.webservices11.wsarj.ArjunaContext;
import com.arjuna.webservices11.wsat.AtomicTransactionConstants;
import com.arjuna.webservices11.wsat.CoordinatorInboundEvents;
import com.arjuna.webservices11.wsat.processors.CoordinatorProcessor;
import jakarta.xml.ws.wsaddressing.W3CEndpointReference;
import java.util.function.Predicate;
import org.jboss.ws.api.addressing.MAP;
import org.oasis_open.docs.ws_tx.wsat._2006._06.Notification;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.understudy.replication.runtime.handshake.RefusalLog;
import org.understudy.wsat.addressing.InstanceIds;

/**
 * Receives the answers of participants, and drops those that do not name their registration by its unguessable id. Narayana aborts what it
 * does not know. A vote whose transaction may have a record that cannot be used is dropped, so that its participant stays in doubt.
 * Thread-safe.
 */
final class GuardedCoordinator extends CoordinatorProcessor {
  private static final Logger LOG = LoggerFactory.getLogger(GuardedCoordinator.class);

  private final CoordinatorProcessor narayana;
  private final InstanceIds ids;
  private final Predicate<String> unreadable;
  private final RefusalLog log = new RefusalLog();

  /** @param unreadable whether the record of a transaction cannot be used; of null, whether there is any such record */
  GuardedCoordinator(CoordinatorProcessor narayana, InstanceIds ids, Predicate<String> unreadable) {
    this.narayana = narayana;
    this.ids = ids;
    this.unreadable = unreadable;
  }

  private boolean isKnown(ArjunaContext context) {
    return verified(context) != null;
  }

  private InstanceIds.Verified verified(ArjunaContext context) {
    InstanceIds.Verified verified = ids.verify(context);
    if (verified == null) {
      LOG.debug("A message of a participant is dropped, because it names no registration by its InstanceIdentifier.");
    }
    return verified;
  }

  @Override
  public void prepared(Notification prepared, MAP map, ArjunaContext context) {
    InstanceIds.Verified participant = verified(context);
    if (participant == null) {
      return;
    }
    if (narayana.getCoordinator(participant.id()) != null || !unreadable.test(participant.transaction())) {
      narayana.prepared(prepared, map, context);
    } else if (log.isDue(participant.id(), System.nanoTime())) {
      LOG.warn(
          "The vote of the participant {} is not answered: the coordinator's record of its transaction {} cannot be used, so the decision "
              + "is unknown.", named(participant.id(), from(map)), participant.transaction());
    }
  }

  /** The participant with its address, by which an operator finds it; null for an unknown one. */
  private static String named(String participant, String address) {
    return RefusalLog.printable(address == null ? participant : participant + " at " + address);
  }

  private static String from(MAP map) {
    return map.getFrom() == null ? null : map.getFrom().getAddress();
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
      String participant = context.getInstanceIdentifier().getInstanceIdentifier();
      CoordinatorInboundEvents registered = narayana.getCoordinator(participant);
      warn(fault, participant, registered == null ? from(map) : address(registered.getParticipant()));
      narayana.soapFault(fault, map, context);
    }
  }

  private static String address(W3CEndpointReference reference) {
    return EndpointHelper.transform(NativeEndpointReference.class, reference).getAddress();
  }

  /** Narayana keeps such a decision, and logs its own codes only. */
  private void warn(SoapFault fault, String participant, String address) {
    if (AtomicTransactionConstants.WSAT_ERROR_CODE_INCONSISTENT_INTERNAL_STATE_QNAME.equals(fault.getSubcode())
        && log.isDue(participant, System.nanoTime())) {
      LOG.error(
          "The participant {} answered InconsistentInternalState to this coordinator's decision, for example because an operator has "
              + "decided otherwise: {} Its transaction is not atomic. Ask the participant's operator to repair the data.",
          named(participant, address), RefusalLog.printable(fault.getReason()));
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
