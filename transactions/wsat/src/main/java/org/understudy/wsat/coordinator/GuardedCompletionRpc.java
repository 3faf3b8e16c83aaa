package org.understudy.wsat.coordinator;

import com.arjuna.webservices11.wsarj.ArjunaContext;
import com.arjuna.webservices11.wsat.processors.CompletionCoordinatorRPCProcessor;
import com.arjuna.wst11.CompletionCoordinatorParticipant;
import org.jboss.ws.api.addressing.MAP;
import org.oasis_open.docs.ws_tx.wsat._2006._06.Notification;

/** Completes transactions for clients that name them by their unguessable ids. Thread-safe. */
final class GuardedCompletionRpc extends CompletionCoordinatorRPCProcessor {
  private final CompletionCoordinatorRPCProcessor narayana;
  private final Activities activities;

  GuardedCompletionRpc(CompletionCoordinatorRPCProcessor narayana, Activities activities) {
    this.narayana = narayana;
    this.activities = activities;
  }

  @Override
  public boolean commit(Notification commit, MAP map, ArjunaContext context) {
    activities.ids().verify(context);
    return narayana.commit(commit, map, context);
  }

  @Override
  public boolean rollback(Notification rollback, MAP map, ArjunaContext context) {
    activities.ids().verify(context);
    return narayana.rollback(rollback, map, context);
  }

  @Override
  public void activateParticipant(CompletionCoordinatorParticipant participant, String identifier) {
    narayana.activateParticipant(participant, identifier);
    activities.completes(identifier, () -> narayana.deactivateParticipant(participant));
  }

  @Override
  public void deactivateParticipant(CompletionCoordinatorParticipant participant) {
    narayana.deactivateParticipant(participant);
  }
}
