package org.understudy.wsat.participant;

import java.io.IOException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.understudy.container.transaction.TransactionParticipant;

/**
 * The group of this web application in the transactions for which it is registered. Narayana is static, so there is one object for each
 * class loader; it lives before the transaction service starts and after it ends. Thread-safe; does not block.
 */
final class GroupPart {
  static final GroupPart INSTANCE = new GroupPart();
  private static final Logger LOG = LoggerFactory.getLogger(GroupPart.class);

  private final Map<String, Registration> byTransaction = new ConcurrentHashMap<>();
  private final Map<String, Registration> byParticipant = new ConcurrentHashMap<>();
  private volatile TransactionParticipant group;

  GroupPart() {}

  void started(TransactionParticipant participant) {
    group = participant;
  }

  /** What decides and answers for this replica; null while the web application starts. */
  TransactionParticipant group() {
    return group;
  }

  void registered(String transaction, byte[] bytes) {
    ended(transaction);
    try {
      Registration registration = Registration.decoded(transaction, bytes);
      byTransaction.put(transaction, registration);
      registration.members().values().forEach(member -> byParticipant.put(member.id(), registration));
    } catch (IOException e) {
      LOG.error("The registration in the transaction {} cannot be read. Run the same version at all replicas.", transaction, e);
    }
  }

  void ended(String transaction) {
    Registration known = byTransaction.remove(transaction);
    if (known != null) {
      known.members().values().forEach(member -> byParticipant.remove(member.id()));
    }
  }

  /** The registration in a transaction, or null. */
  Registration of(String transaction) {
    return byTransaction.get(transaction);
  }

  /** The registration to which a participant belongs, or null. */
  Registration ofParticipant(String id) {
    return byParticipant.get(id);
  }
}
