package org.understudy.container.transaction;

import javax.xml.namespace.QName;
import org.understudy.replication.api.ReadLevel;
import org.understudy.replication.soap.ReplicationNames;
import org.understudy.wsrf.operation.Invocation;
import org.understudy.wsrf.operation.StandardOperation;

/** The operations by which a client begins and ends transactions, at the address of every service of the group. */
public enum TransactionOperation implements StandardOperation {
  /** Not in the log: an open transaction does not survive its primary. */
  BEGIN("BeginTransaction", ReadLevel.LINEARIZABLE),
  /** An update of the log with the changes of all calls. */
  COMMIT("CommitTransaction", null),
  /** Not in the log: nothing of an open transaction is. */
  ABORT("AbortTransaction", ReadLevel.LINEARIZABLE),
  /** From another group: a participant's, or a coordinator's. Not in the log. */
  MESSAGE("TransactionMessage", ReadLevel.LINEARIZABLE);

  private final QName element;
  private final ReadLevel read;

  TransactionOperation(String name, ReadLevel read) {
    this.element = new QName(ReplicationNames.NAMESPACE, name);
    this.read = read;
  }

  /** Returns the operation with this element, or null. */
  public static TransactionOperation of(QName element) {
    for (TransactionOperation one : values()) {
      if (one.element.equals(element)) {
        return one;
      }
    }
    return null;
  }

  @Override
  public QName element() {
    return element;
  }

  @Override
  public String answer() {
    return ReplicationNames.action(element.getLocalPart() + "Response");
  }

  @Override
  public ReadLevel read() {
    return read;
  }

  /** Not called: the group's {@link OpenTransactions} execute it, for several resources. */
  @Override
  public byte[] execute(Invocation invocation) {
    throw new IllegalStateException("A transaction has no resource of its own.");
  }
}
