package org.understudy.container.management;

import java.util.Locale;
import javax.management.ObjectName;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.understudy.container.configuration.Configuration;
import org.understudy.container.transaction.CoordinatedTransactions;
import org.understudy.container.transaction.TransactionOverview;
import org.understudy.container.transaction.TransactionParticipant;
import org.understudy.replication.api.decision.Decision;
import org.understudy.replication.runtime.management.RegisteredBean;

/** Lets the operator decide transactions in doubt through JMX, which only the operating system user of the server can reach. */
public final class TransactionControl implements TransactionControlMXBean, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(TransactionControl.class);

  private final CoordinatedTransactions transactions;
  private final TransactionParticipant participant;
  private final TransactionOverview overview;
  /** Null when the registration failed. */
  private RegisteredBean registration;

  private TransactionControl(CoordinatedTransactions transactions, TransactionOverview overview) {
    this.transactions = transactions;
    this.participant = transactions.participant();
    this.overview = overview;
  }

  /** Registers the control of a replica's transactions. If that fails, it logs a warning. */
  public static TransactionControl register(
      Configuration configuration, CoordinatedTransactions transactions, TransactionOverview overview) {
    TransactionControl control = new TransactionControl(transactions, overview);
    control.registration = RegisteredBean.of(control, name(configuration), "The transactions of " + configuration.group());
    return control;
  }

  private static ObjectName name(Configuration configuration) {
    return RegisteredBean.name(
        "type=Transactions,group=" + ObjectName.quote(configuration.group()) + ",replica=" + configuration.self());
  }

  @Override
  public String report() {
    return overview.report();
  }

  @Override
  public String inDoubt() {
    return participant.inDoubt().isEmpty() ? "No transaction is in doubt.\n" : String.join("\n", participant.inDoubt()) + "\n";
  }

  @Override
  public String commit(String transaction) {
    return decided(transaction, Decision.COMMITTED);
  }

  @Override
  public String abort(String transaction) {
    return decided(transaction, Decision.ABORTED);
  }

  private String decided(String transaction, Decision decision) {
    if (!transactions.isInDoubt(transaction)) {
      throw new IllegalArgumentException("The transaction " + transaction + " is not in doubt here.");
    }
    if (!overview.executesUpdates()) {
      throw new IllegalStateException(
          "The transaction " + transaction + " is not decided: this replica does not execute updates. Decide at the primary.");
    }
    String how = decision.name().toLowerCase(Locale.ROOT);
    LOG.warn(
        "An operator decides that the transaction {} is {}, in place of its coordinator. If that one decides otherwise, its participants "
            + "differ, and the log, the health page and scripts/transactions show that.",
        transaction, how);
    transactions.decide(transaction, decision);
    return "The transaction " + transaction + " is " + how + ".";
  }

  @Override
  public String forget(String transaction) {
    if (!overview.executesUpdates()) {
      throw new IllegalStateException(
          "The decision about the transaction " + transaction + " is kept: this replica does not execute updates. Forget it at the "
              + "primary.");
    }
    transactions.forget(transaction);
    return "The operator's decision about the transaction " + transaction + " is forgotten.";
  }

  @Override
  public void close() {
    if (registration != null) {
      registration.close();
    }
  }
}
