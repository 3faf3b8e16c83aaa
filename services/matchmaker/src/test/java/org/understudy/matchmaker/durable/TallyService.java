package org.understudy.matchmaker.durable;

import jakarta.jws.WebMethod;
import jakarta.jws.WebParam;
import jakarta.jws.WebService;
import java.util.List;
import org.understudy.durability.proxy.SqlDatabase;
import org.understudy.durability.proxy.SqlDatabaseProvider;
import org.understudy.replication.api.IncrementalState;
import org.understudy.replication.api.ResourceHome;
import org.understudy.replication.api.decision.DatabaseBacked;
import org.understudy.replication.api.decision.DecisionStore;

/** Keeps a sum in a database alone, without a mapping; what it has in memory shows it. */
@WebService(targetNamespace = "urn:tally")
public class TallyService implements IncrementalState, DatabaseBacked {
  private static final List<String> TABLE = List.of("CREATE TABLE tally (n BIGINT NOT NULL)", "INSERT INTO tally VALUES (0)");

  private final SqlDatabase database;
  private long sum;
  private volatile boolean loaded;

  public TallyService(ResourceHome<?> home) {
    database = SqlDatabaseProvider.openDatabase(home);
  }

  /** Returns the sum. */
  @WebMethod
  public long add(@WebParam(name = "n") long n) {
    load();
    database.begin().update("UPDATE tally SET n = n + ?", n);
    sum += n;
    return sum;
  }

  private void load() {
    if (!loaded) {
      database.read(queries -> sum = ((Number) queries.query("SELECT n FROM tally").get(0)[0]).longValue());
      loaded = true;
    }
  }

  @Override
  @WebMethod(exclude = true)
  public boolean isDatabaseOnly() {
    return true;
  }

  @Override
  @WebMethod(exclude = true)
  public byte[] captureUpdate() {
    return new byte[0];
  }

  @Override
  @WebMethod(exclude = true)
  public void applyUpdate(byte[] update) {
    loaded = false;
  }

  @Override
  @WebMethod(exclude = true)
  public byte[] captureState() {
    return new byte[0];
  }

  @Override
  @WebMethod(exclude = true)
  public void restoreState(byte[] state) {
    loaded = false;
  }

  @Override
  @WebMethod(exclude = true)
  public DecisionStore decisionStore() {
    return database.decisionStore();
  }

  @Override
  @WebMethod(exclude = true)
  public void reload() {
    database.initialize("tally", TABLE);
    loaded = false;
    load();
  }

  @Override
  @WebMethod(exclude = true)
  public void databaseChanged() {
    loaded = false;
  }
}
