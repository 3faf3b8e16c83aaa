package org.understudy.wsat;

import jakarta.jws.WebMethod;
import jakarta.jws.WebParam;
import jakarta.jws.WebService;
import java.nio.ByteBuffer;
import java.util.List;
import org.understudy.durability.proxy.SqlDatabase;
import org.understudy.durability.proxy.SqlDatabaseProvider;
import org.understudy.replication.api.IncrementalState;
import org.understudy.replication.api.Read;
import org.understudy.replication.api.ResourceHome;
import org.understudy.replication.api.decision.DatabaseBacked;
import org.understudy.replication.api.decision.DecisionStore;

/** A service that knows nothing of transactions. Its coins are in the replicated state, and those that are saved in a database too. */
@WebService(targetNamespace = "urn:purse", serviceName = "Purse", portName = "PursePort")
public class Purse implements IncrementalState, DatabaseBacked {
  private static final List<String> TABLE = List.of("CREATE TABLE savings (n INT NOT NULL)", "INSERT INTO savings VALUES (0)");

  private final SqlDatabase database;
  private int coins;
  private int saved;

  public Purse(ResourceHome<?> home) {
    database = SqlDatabaseProvider.openDatabase(home);
  }

  /** Returns the new number of coins. */
  @WebMethod
  public int put(@WebParam(name = "coins") int more) {
    coins += more;
    return coins;
  }

  /** As put. Fails if memory and database differ. */
  @WebMethod
  public int save(@WebParam(name = "coins") int more) {
    if (database.begin().update("UPDATE savings SET n = n + ? WHERE n = ?", more, saved) != 1) {
      throw new IllegalStateException("The database does not have " + saved + " coins.");
    }
    saved += more;
    return put(more);
  }

  @Read
  @WebMethod
  public int count() {
    return coins;
  }

  @Override
  @WebMethod(exclude = true)
  public byte[] captureUpdate() {
    return captureState();
  }

  @Override
  @WebMethod(exclude = true)
  public void applyUpdate(byte[] update) {
    restoreState(update);
  }

  @Override
  @WebMethod(exclude = true)
  public byte[] captureState() {
    return ByteBuffer.allocate(2 * Integer.BYTES).putInt(coins).putInt(saved).array();
  }

  @Override
  @WebMethod(exclude = true)
  public void restoreState(byte[] state) {
    ByteBuffer both = ByteBuffer.wrap(state);
    coins = both.getInt();
    saved = both.getInt();
  }

  @Override
  @WebMethod(exclude = true)
  public DecisionStore decisionStore() {
    return database.decisionStore();
  }

  @Override
  @WebMethod(exclude = true)
  public void reload() {
    database.initialize("savings", TABLE);
  }

  @Override
  @WebMethod(exclude = true)
  public void databaseChanged() {
    // What is in memory is in the replicated state.
  }
}
