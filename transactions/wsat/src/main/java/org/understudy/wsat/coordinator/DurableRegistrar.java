package org.understudy.wsat.coordinator;

import com.arjuna.ats.arjuna.common.Uid;
import com.arjuna.ats.arjuna.coordinator.ActionManager;
import com.arjuna.ats.arjuna.coordinator.BasicAction;
import com.arjuna.mwlabs.wscf.model.twophase.arjunacore.ATCoordinator;
import com.arjuna.mwlabs.wst.at.participants.DurableTwoPhaseCommitParticipant;
import com.arjuna.webservices11.util.PrivilegedServiceRegistryFactory;
import com.arjuna.webservices11.wsarj.InstanceIdentifier;
import com.arjuna.webservices11.wsat.AtomicTransactionConstants;
import com.arjuna.webservices11.wsat.State;
import com.arjuna.webservices11.wsat.processors.CoordinatorProcessor;
import com.arjuna.wsc.AlreadyRegisteredException;
import com.arjuna.wsc.InvalidProtocolException;
import com.arjuna.wsc.InvalidStateException;
import com.arjuna.wsc.NoActivityException;
import com.arjuna.wsc11.Registrar;
import com.arjuna.wsc11.RegistrarMapper;
import jakarta.xml.ws.wsaddressing.W3CEndpointReference;
import jakarta.xml.ws.wsaddressing.W3CEndpointReferenceBuilder;
import java.util.Map;
import java.util.WeakHashMap;

/** Registers durable participants so that they are told decisions side by side. Thread-safe. */
final class DurableRegistrar implements Registrar {
  private final Registrar narayana;
  /** Guarded by this. Narayana drops a transaction that has ended. */
  private final Map<BasicAction, Participants> byTransaction = new WeakHashMap<>();

  private DurableRegistrar(Registrar narayana) {
    this.narayana = narayana;
  }

  /** Takes the place of Narayana's registrar. */
  static void install() {
    RegistrarMapper mapper = RegistrarMapper.getFactory();
    String protocol = AtomicTransactionConstants.WSAT_SUB_PROTOCOL_DURABLE_2PC;
    mapper.addRegistrar(protocol, new DurableRegistrar(mapper.getRegistrar(protocol)));
  }

  @Override
  public W3CEndpointReference register(
      W3CEndpointReference participant, String protocol, InstanceIdentifier transaction, boolean secure)
      throws AlreadyRegisteredException, InvalidProtocolException, InvalidStateException, NoActivityException {
    BasicAction action = ActionManager.manager().get(new Uid(transaction.getInstanceIdentifier()));
    if (!(action instanceof ATCoordinator coordinator)) {
      // Which states why it is not there.
      return narayana.register(participant, protocol, transaction, secure);
    }
    String id = "D" + new Uid().stringForm();
    ConcurrentEngine engine = new ConcurrentEngine(id, participant, State.STATE_ACTIVE);
    try {
      DurableParticipant created = DurableParticipant.of(engine);
      coordinator.enlistParticipant(new DurableTwoPhaseCommitParticipant(created, id + " (" + created + ")"));
    } catch (Exception e) { // As Narayana declares it.
      CoordinatorProcessor.getProcessor().deactivateCoordinator(engine);
      throw new InvalidStateException("The transaction accepts no participant any more: " + e, e);
    }
    engine.join(participants(action));
    return reference(id, secure);
  }

  private synchronized Participants participants(BasicAction action) {
    return byTransaction.computeIfAbsent(action, one -> new Participants());
  }

  /** Where the participant sends its answers. */
  private static W3CEndpointReference reference(String id, boolean secure) {
    W3CEndpointReferenceBuilder builder = new W3CEndpointReferenceBuilder();
    builder.serviceName(AtomicTransactionConstants.COORDINATOR_SERVICE_QNAME);
    builder.endpointName(AtomicTransactionConstants.COORDINATOR_PORT_QNAME);
    builder.address(
        PrivilegedServiceRegistryFactory.getInstance().getServiceRegistry()
            .getServiceURI(AtomicTransactionConstants.COORDINATOR_SERVICE_NAME, secure));
    InstanceIdentifier.setEndpointInstanceIdentifier(builder, id);
    return builder.build();
  }

  @Override
  public void install(String protocol) {
    // Nothing to do.
  }

  @Override
  public void uninstall(String protocol) {
    // Nothing to do.
  }
}
