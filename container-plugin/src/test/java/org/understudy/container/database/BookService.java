package org.understudy.container.database;

import jakarta.jws.WebService;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicReference;
import org.understudy.container.service.Notebook;
import org.understudy.container.service.RefusedException;
import org.understudy.replication.api.Read;
import org.understudy.replication.api.ReadLevel;
import org.understudy.replication.api.ResourceHome;
import org.understudy.replication.api.StateCapture;
import org.understudy.replication.api.decision.DatabaseBacked;
import org.understudy.replication.api.decision.DecisionStore;

/** Keeps a text in itself, and the same text in a database. */
@WebService(endpointInterface = "org.understudy.container.service.Notebook", targetNamespace = "urn:notebook")
public class BookService implements Notebook, StateCapture, DatabaseBacked {
  static volatile BookStore store = new BookStore();

  /** That of the replica which was started last. */
  static final AtomicReference<ResourceHome<BookService>> NEWEST_HOME = new AtomicReference<>();

  private final ResourceHome<BookService> home;
  private final BookStore database = store;
  private final StringBuilder text = new StringBuilder();
  private String loaded = "";

  public BookService(ResourceHome<BookService> home) {
    this.home = home;
    NEWEST_HOME.set(home);
  }

  @Override
  public String append(String more) {
    home.enlist(database.new Transaction(more));
    return text.append(more).toString();
  }

  /** As a statement fails after which the database has ended the transaction. */
  void appendByStatement(String more) {
    BookStore.Transaction transaction = database.new Transaction(more);
    home.enlist(transaction);
    text.append(more);
    if (transaction.isAborted()) {
      throw new IllegalStateException("The statement met a deadlock.");
    }
  }

  /** What is replicated, and what was in the database when this replica became primary. */
  @Override
  @Read(ReadLevel.LINEARIZABLE)
  public String text() {
    return text + "|" + loaded;
  }

  @Override
  public String refuse(String more) throws RefusedException {
    append(more);
    throw new RefusedException("No more.");
  }

  @Override
  public String stumble(String more) {
    append(more);
    home.discardChanges();
    throw new IllegalStateException("The service failed.");
  }

  @Override
  public String quote(String more) {
    return "";
  }

  @Override
  public String appendSlowly(String more) {
    return append(more);
  }

  @Override
  public void note(String more) {
    append(more);
  }

  @Override
  public void clear() {
    text.setLength(0);
  }

  @Override
  public byte[] captureState() {
    return text.toString().getBytes(StandardCharsets.UTF_8);
  }

  @Override
  public void restoreState(byte[] state) {
    text.setLength(0);
    text.append(new String(state, StandardCharsets.UTF_8));
  }

  @Override
  public DecisionStore decisionStore() {
    return database;
  }

  @Override
  public void reload() {
    loaded = database.text();
  }
}
