package org.understudy.wsat.store;

import com.arjuna.ats.arjuna.common.Uid;
import com.arjuna.ats.arjuna.objectstore.TxLog;
import org.jboss.jbossts.xts.recovery.participant.at.ATParticipantRecoveryRecord;
import org.jboss.jbossts.xts.recovery.participant.at.XTSATRecoveryManagerImple;

/** Narayana's list of the prepared participants of this server, whose maps Narayana changes from several threads without a lock. */
public final class GuardedRecoveryManager extends XTSATRecoveryManagerImple {
  /** @param store what survives a restart */
  public GuardedRecoveryManager(TxLog store) {
    super(store);
  }

  @Override
  public synchronized boolean writeParticipantRecoveryRecord(ATParticipantRecoveryRecord participant) {
    return super.writeParticipantRecoveryRecord(participant);
  }

  @Override
  public synchronized boolean deleteParticipantRecoveryRecord(String id) {
    return super.deleteParticipantRecoveryRecord(id);
  }

  @Override
  public synchronized void addParticipantRecoveryRecord(Uid id, ATParticipantRecoveryRecord participant) {
    super.addParticipantRecoveryRecord(id, participant);
  }

  @Override
  public synchronized ATParticipantRecoveryRecord findParticipantRecoveryRecord(String id) {
    return super.findParticipantRecoveryRecord(id);
  }
}
