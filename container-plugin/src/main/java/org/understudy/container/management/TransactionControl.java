package org.understudy.container.management;

import javax.management.ObjectName;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.understudy.container.configuration.Configuration;
import org.understudy.container.transaction.TransactionParticipant;
import org.understudy.replication.runtime.management.RegisteredBean;

/** Lets the operator decide transactions in doubt through JMX, which only the operating system user of the server can reach. */
public final class TransactionControl implements TransactionControlMXBean, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(TransactionControl.class);

  private final TransactionParticipant participant;
  /** Null when the registration failed. */
  private RegisteredBean registration;

  private TransactionControl(TransactionParticipant participant) {
    this.participant = participant;
  }

  /** Registers the control of a replica's transactions. If that fails, it logs a warning. */
  public static TransactionControl register(Configuration configuration, TransactionParticipant participant) {
    TransactionControl control = new TransactionControl(participant);
    control.registration = RegisteredBean.of(control, name(configuration), "The transactions of " + configuration.group());
    return control;
  }

  private static ObjectName name(Configuration configuration) {
    return RegisteredBean.name(
        "type=Transactions,group=" + ObjectName.quote(configuration.group()) + ",replica=" + configuration.self());
  }

  @Override
  public String inDoubt() {
    return participant.inDoubt().isEmpty() ? "No transaction is in doubt.\n" : String.join("\n", participant.inDoubt()) + "\n";
  }

  @Override
  public String commit(String transaction) {
    return decided(transaction, "committed", () -> participant.commit(transaction));
  }

  @Override
  public String abort(String transaction) {
    return decided(transaction, "aborted", () -> participant.abort(transaction));
  }

  private String decided(String transaction, String how, Runnable decision) {
    if (!participant.isPrepared(transaction)) {
      throw new IllegalArgumentException("The transaction " + transaction + " is not in doubt here.");
    }
    LOG.warn(
        "An operator decides that the transaction {} is {}, in place of its coordinator. If that one decides otherwise, its participants "
            + "differ.",
        transaction, how);
    decision.run();
    return "The transaction " + transaction + " is " + how + ".";
  }

  @Override
  public void close() {
    if (registration != null) {
      registration.close();
    }
  }
}
