package org.understudy.durability.database;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.understudy.replication.api.decision.DecisionId;

/**
 * The cost of a transaction through {@link Database} beside the same transaction written by hand with JDBC, in turns: an update, the row of
 * the decision with its check of the epoch, COMMIT. A program, not a test; it prints medians in microseconds and their ratios.
 */
final class DatabaseBench {
  private static final byte[] RESPONSE = new byte[200];
  private static final String UPDATE = "UPDATE bench SET balance = ? WHERE client = ?";

  private DatabaseBench() {}

  /** @param args the number of transactions of each kind, and the number of those before them that do not count */
  public static void main(String[] args) throws Exception {
    int transactions = args.length > 0 ? Integer.parseInt(args[0]) : 5000;
    int warmUp = args.length > 1 ? Integer.parseInt(args[1]) : 10_000;
    for (TestServer server : TestServer.values()) {
      measure(server.up(), transactions, warmUp);
    }
    System.exit(0);
  }

  private static void measure(TestServer server, int transactions, int warmUp) throws Exception {
    DatabaseSettings settings = server.settings(TestServer.name("group"));
    try (Database database = new Database(() -> settings, null, Failpoint.Listener.NONE)) {
      database.initialize("bench", List.of("CREATE TABLE bench (client INT PRIMARY KEY, balance INT)"));
      database.decisionStore().fence(1, null);
      DatabaseTransaction first = (DatabaseTransaction) database.beginTransaction();
      first.update("INSERT INTO bench VALUES (?, ?)", 1, 0);
      first.commit();
      long index = 1;
      double[][] micros = new double[3][transactions];
      for (int n = 0; n < warmUp + transactions; n++) {
        // In turns, so that other load meets each kind alike.
        for (int kind = 0; kind < 3; kind++) {
          DecisionId id = new DecisionId(1, index++);
          long begin = System.nanoTime();
          switch (kind) {
            case 0 -> bare(database, n);
            case 1 -> byHand(database, settings, id, n);
            default -> through(database, id, n);
          }
          if (n >= warmUp) {
            micros[kind][n - warmUp] = (System.nanoTime() - begin) / 1000.0;
          }
        }
      }
      double byHand = median(micros[1]);
      double through = median(micros[2]);
      System.out.printf(
          Locale.ROOT, "%s: update alone %.0f us, with decision by hand %.0f us, through Database %.0f us; ratio %.2f%n", server,
          median(micros[0]), byHand, through, through / byHand);
    }
  }

  private static void bare(Database database, int value) throws Exception {
    try (Connection connection = database.opened().connections().connection()) {
      update(connection, value);
      connection.commit();
    }
  }

  private static void byHand(Database database, DatabaseSettings settings, DecisionId id, int value) throws Exception {
    Database.Opened opened = database.opened();
    try (Connection connection = opened.connections().connection()) {
      update(connection, value);
      try (PreparedStatement insert = connection.prepareStatement(opened.connections().product().insertDecision())) {
        insert.setString(1, settings.group());
        insert.setLong(2, id.epoch());
        insert.setLong(3, id.index());
        insert.setBytes(4, key(id));
        insert.setBytes(5, RESPONSE);
        insert.setString(6, settings.group());
        insert.setInt(7, 0);
        insert.setLong(8, id.epoch());
        insert.executeUpdate();
      }
      connection.commit();
    }
  }

  private static void through(Database database, DecisionId id, int value) {
    DatabaseTransaction transaction = (DatabaseTransaction) database.beginTransaction();
    transaction.update(UPDATE, value, 1);
    transaction.commit(id, key(id), RESPONSE);
  }

  private static void update(Connection connection, int value) throws Exception {
    try (PreparedStatement update = connection.prepareStatement(UPDATE)) {
      update.setInt(1, value);
      update.setInt(2, 1);
      update.executeUpdate();
    }
  }

  private static byte[] key(DecisionId id) {
    return Long.toString(id.index()).getBytes(java.nio.charset.StandardCharsets.US_ASCII);
  }

  private static double median(double[] values) {
    Arrays.sort(values);
    return values[values.length / 2];
  }
}
