package org.understudy.wsat.participant;

import com.arjuna.wst.Aborted;
import com.arjuna.wst.Durable2PCParticipant;
import com.arjuna.wst.Prepared;
import com.arjuna.wst.ReadOnly;
import com.arjuna.wst.SystemException;
import com.arjuna.wst.Vote;
import com.arjuna.wst.WrongStateException;
import java.nio.charset.StandardCharsets;
import org.jboss.jbossts.xts.recovery.participant.at.PersistableATParticipant;
import org.understudy.container.transaction.TransactionParticipant;

/**
 * This replica's part of one transaction, as Narayana calls it. Narayana repeats a call that throws. What survives a restart is the id of
 * the transaction; its changes are in the log of the group.
 */
final class GroupParticipant implements Durable2PCParticipant, PersistableATParticipant {
  private final String transaction;
  private final TransactionParticipant group;
  private final Runnable ended;

  /** @param ended called when the coordinator needs this participant no more */
  GroupParticipant(String transaction, TransactionParticipant group, Runnable ended) {
    this.transaction = transaction;
    this.group = group;
    this.ended = ended;
  }

  @Override
  public Vote prepare() throws WrongStateException, SystemException {
    try {
      return switch (group.prepare(transaction)) {
        case PREPARED -> new Prepared();
        case READ_ONLY -> {
          ended.run();
          yield new ReadOnly();
        }
        case ABORTED -> {
          ended.run();
          yield new Aborted();
        }
      };
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw unanswered("The server ends.");
    } catch (IllegalStateException e) {
      throw unanswered(e.getMessage());
    }
  }

  /** Narayana answers nothing then. The changes may be prepared, so no vote is true, and the coordinator rolls back without one. */
  private static SystemException unanswered(String why) {
    return new SystemException(why);
  }

  @Override
  public void commit() throws WrongStateException, SystemException {
    try {
      group.commit(transaction);
    } catch (IllegalStateException e) {
      throw new SystemException(e.getMessage());
    }
    ended.run();
  }

  @Override
  public void rollback() throws WrongStateException, SystemException {
    try {
      group.abort(transaction);
    } catch (IllegalStateException e) {
      throw new SystemException(e.getMessage());
    }
    ended.run();
  }

  @Override
  public void unknown() throws SystemException {
    // Narayana never calls it for a participant of version 1.1 of the protocol.
  }

  @Override
  public void error() throws SystemException {
    // As unknown().
  }

  @Override
  public byte[] getRecoveryState() {
    return transaction.getBytes(StandardCharsets.UTF_8);
  }
}
