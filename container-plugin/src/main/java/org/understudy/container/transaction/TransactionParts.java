package org.understudy.container.transaction;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.understudy.replication.core.update.StateChange;
import org.understudy.wsrf.resource.ServiceHome;

/** The resources of one transaction, which commit or are undone together. Used by one thread at a time. */
final class TransactionParts {
  private static final Logger LOG = LoggerFactory.getLogger(TransactionParts.class);

  private final String transaction;
  private final List<TransactionPart> parts = new ArrayList<>();

  /** What is to be captured and then proposed: see {@link TransactionCommit}. */
  record Content(Map<String, Long> versions, List<StateChange> changes) {}

  /** @param transaction its id */
  TransactionParts(String transaction) {
    this.transaction = transaction;
  }

  /** Returns the part with a resource, or null when the resource is not in this transaction. */
  TransactionPart find(ServiceHome home, String key) {
    return parts.stream().filter(one -> one.isOf(home, key)).findFirst().orElse(null);
  }

  void add(TransactionPart part) {
    parts.add(part);
  }

  /** Why the transaction cannot commit what they have changed, as a clause; null if it can. */
  String obstacle() {
    return parts.stream().map(TransactionPart::obstacle).filter(one -> one != null).findFirst().orElse(null);
  }

  /** The part that changes a database; null for none. There is one at most: a group has one service with a database. */
  TransactionPart withBranch() {
    return parts.stream().filter(part -> part.branch() != null).findFirst().orElse(null);
  }

  /** Captures all. */
  Content content() {
    Map<String, Long> versions = new LinkedHashMap<>();
    List<StateChange> changes = new ArrayList<>();
    parts.forEach(part -> part.capture(transaction, versions, changes));
    return new Content(versions, changes);
  }

  /**
   * Whether a part has changed what the content cannot show, so that the transaction is no read although the content is empty. Before the
   * content is captured or later.
   */
  boolean hideChanges() {
    return parts.stream().anyMatch(TransactionPart::hidesChanges);
  }

  /** The keys of the parts that hide changes, as changes without effect: what is in doubt names them. */
  List<StateChange> hiddenChanges() {
    return parts.stream().filter(part -> part.hidesChanges() && part.resource().key() != null).map(TransactionPart::lock).toList();
  }

  /** Commits all. If one throws, the others are committed and unlocked all the same. */
  void commit() {
    RuntimeException thrown = null;
    for (TransactionPart part : parts) {
      try {
        part.commit();
      } catch (RuntimeException e) {
        if (thrown == null) {
          thrown = e;
        } else {
          thrown.addSuppressed(e);
        }
      }
    }
    if (thrown != null) {
      throw thrown;
    }
  }

  /** Undoes the part of the database. May block. */
  void rollBackBranch() {
    parts.forEach(TransactionPart::rollBackBranch);
  }

  /** Undoes all but the part of the database, which has ended. */
  void rollBack() {
    for (TransactionPart part : parts) {
      try {
        part.rollBack(transaction);
      } catch (RuntimeException e) {
        LOG.error("A resource of the transaction {} was not undone. Its next use restores it.", transaction, e);
      }
    }
  }

  /** Undoes all. May block. */
  void undo() {
    for (TransactionPart part : parts) {
      try {
        part.rollBackBranch();
      } catch (RuntimeException e) {
        LOG.warn(
            "The database part of the transaction {} was not rolled back. The database ends it with its connection.", transaction, e);
      }
    }
    rollBack();
  }
}
