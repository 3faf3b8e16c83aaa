package org.understudy.wsat;

import com.arjuna.mw.wst11.TransactionManager;
import com.arjuna.mw.wst11.TransactionManagerFactory;
import com.arjuna.mw.wst11.common.CoordinationContextHelper;
import com.arjuna.mwlabs.wst11.at.context.TxContextImple;
import com.arjuna.wst.Aborted;
import com.arjuna.wst.Durable2PCParticipant;
import com.arjuna.wst.Prepared;
import com.arjuna.wst.Vote;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.util.UUID;
import org.apache.cxf.staxutils.StaxUtils;
import org.jboss.jbossts.xts.recovery.participant.at.PersistableATParticipant;
import org.understudy.container.transaction.TransactionContext;

/** A participant of a service that uses Narayana's own interfaces. */
record Volunteer(String transaction, Ledger ledger) implements Durable2PCParticipant, PersistableATParticipant {
  static void register(TransactionContext context, Ledger ledger) throws Exception {
    TransactionManager manager = TransactionManagerFactory.transactionManager();
    String header = new String(context.context(), StandardCharsets.UTF_8);
    manager.resume(
        new TxContextImple(CoordinationContextHelper.deserialise(StaxUtils.read(new StringReader(header)).getDocumentElement())));
    manager.enlistForDurableTwoPhase(new Volunteer(context.id(), ledger), "volunteer-" + UUID.randomUUID());
    manager.suspend();
  }

  @Override
  public Vote prepare() {
    return ledger.prepare(transaction) == org.understudy.container.transaction.Vote.PREPARED ? new Prepared() : new Aborted();
  }

  @Override
  public void commit() {
    ledger.commit(transaction);
  }

  @Override
  public void rollback() {
    ledger.abort(transaction);
  }

  @Override
  public void unknown() {
    // Not asked.
  }

  @Override
  public void error() {
    // Not asked.
  }

  @Override
  public byte[] getRecoveryState() {
    return transaction.getBytes(StandardCharsets.UTF_8);
  }
}
