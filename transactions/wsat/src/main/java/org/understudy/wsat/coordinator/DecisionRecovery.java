package org.understudy.wsat.coordinator;

import com.arjuna.ats.arjuna.common.Uid;
import com.arjuna.ats.arjuna.coordinator.AbstractRecord;
import com.arjuna.ats.arjuna.coordinator.RecordListIterator;
import com.arjuna.ats.arjuna.objectstore.StateStatus;
import com.arjuna.ats.arjuna.objectstore.StoreManager;
import com.arjuna.ats.arjuna.state.InputObjectState;
import com.arjuna.ats.arjuna.state.OutputObjectState;
import com.arjuna.mw.wscf.model.twophase.participants.Participant;
import com.arjuna.wst11.stub.Durable2PCStub;
import java.util.Set;
import org.jboss.jbossts.xts.recovery.coordinator.at.ATCoordinatorRecoveryModule;
import org.jboss.jbossts.xts.recovery.coordinator.at.RecoveryATCoordinator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.understudy.wsat.store.SerializationFreeStore;

/**
 * Finishes the transactions that this coordinator decided before its restart. Narayana stores a decision again when some participants have
 * not acknowledged it. It does not expect the messages of such a participant after a restart: it ignores that it has committed, and
 * answers a repeated vote with an abort. Here its messages are expected, by a {@link DurableParticipant}. Narayana makes the one object by
 * reflection; one thread uses it.
 */
public final class DecisionRecovery extends ATCoordinatorRecoveryModule {
  private static final Logger LOG = LoggerFactory.getLogger(DecisionRecovery.class);
  /** Of participants in records; earlier versions have stored Narayana's. */
  private static final Set<String> CLASSES = Set.of(DurableParticipant.class.getName(), Durable2PCStub.class.getName());

  @Override
  public void periodicWorkSecondPass() {
    SerializationFreeStore store = (SerializationFreeStore) StoreManager.getRecoveryStore();
    for (Uid decision : store.earlierDecisions()) {
      try {
        if (store.currentState(decision, store.decisionType()) != StateStatus.OS_UNKNOWN) {
          new Recovered(decision).expectAnswers();
        }
      } catch (Exception e) { // As Narayana declares it.
        LOG.warn("The transaction {} cannot be recovered now. The next attempt follows; other transactions are recovered.", decision, e);
      }
    }
    super.periodicWorkSecondPass();
  }

  /** A stored decision. */
  private static final class Recovered extends RecoveryATCoordinator {
    private Recovered(Uid id) {
      super(id);
    }

    private void expectAnswers() throws Exception {
      Participants participants = new Participants();
      RecordListIterator records = new RecordListIterator(preparedList);
      for (AbstractRecord record = records.iterate(); record != null; record = records.iterate()) {
        if (record.value() instanceof Participant participant) {
          expectAnswer(participant, participants);
        }
      }
    }

    private static void expectAnswer(Participant participant, Participants participants) throws Exception {
      OutputObjectState stored = new OutputObjectState();
      if (!participant.save_state(stored)) {
        return;
      }
      InputObjectState in = new InputObjectState(stored);
      boolean serialized = in.unpackBoolean();
      if (!serialized && CLASSES.contains(in.unpackString())) {
        DurableParticipant restored = new DurableParticipant();
        if (restored.restoreState(in) && restored.engine() != null) {
          restored.engine().join(participants);
        }
      }
    }
  }
}
