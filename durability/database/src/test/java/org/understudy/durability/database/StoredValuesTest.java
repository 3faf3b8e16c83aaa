package org.understudy.durability.database;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Proxy;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.understudy.durability.proxy.Columns;
import org.understudy.durability.proxy.DatabaseProxy;
import org.understudy.durability.proxy.DurableObjects;
import org.understudy.durability.proxy.SqlAction;
import org.understudy.durability.proxy.SqlDatabase;
import org.understudy.replication.api.ResourceHome;

/** With {@code understudy.check=restore} an update fails that a database stores otherwise than it was. */
class StoredValuesTest {
  /** Columns have fewer digits, as docs/durability.md says. */
  private static final Instant SINCE = Instant.parse("2026-10-25T12:00:00.987654321Z");

  /** A state object. */
  private interface Prices {
    void put(String item, BigDecimal price, Instant since);
  }

  private static final class PricesState implements Prices {
    private final Map<String, BigDecimal> prices = new TreeMap<>();
    private final Map<String, Instant> since = new TreeMap<>();

    @Override
    public void put(String item, BigDecimal price, Instant time) {
      prices.put(item, price);
      since.put(item, time);
    }
  }

  /** As generated. */
  private static final class PricesProxy extends DatabaseProxy<Prices> implements Prices {
    private final String table;

    PricesProxy(SqlDatabase database, String table) {
      super(
          table, PricesState::new, database,
          List.of("CREATE TABLE " + table + " (item VARCHAR(20) PRIMARY KEY, price DECIMAL(9, 2), since TIMESTAMP NULL)"));
      this.table = table;
    }

    @Override
    protected void load(SqlAction sql, Prices into) {
      for (Object[] row : sql.query("SELECT item, price, since FROM " + table)) {
        into.put(Columns.text(row[0]), Columns.decimal(row[1]), Columns.instant(row[2]));
      }
    }

    @Override
    public void put(String item, BigDecimal price, Instant since) {
      updating();
      try {
        object().put(item, price, since);
        sql().update("INSERT INTO " + table + " VALUES (?, ?, ?)", item, price, LocalDateTime.ofInstant(since, ZoneOffset.UTC));
        updated();
      } finally {
        ended();
      }
    }

    Map<String, BigDecimal> prices() {
      return ((PricesState) object()).prices;
    }
  }

  /** A container whose operations end at once. */
  private static final class Container implements AutoCloseable {
    private final DurableObjects objects;
    private final PricesProxy prices;
    private DatabaseTransaction transaction;

    private final Database database;

    Container(TestServer server, String check) {
      ResourceHome<?> home = (ResourceHome<?>) Proxy.newProxyInstance(
          Container.class.getClassLoader(), new Class<?>[] {ResourceHome.class}, (proxy, method, arguments) -> {
            if (method.getName().equals("enlist")) {
              transaction = (DatabaseTransaction) arguments[0];
            }
            return method.getName().equals("setting") && arguments[0].equals("understudy.check") ? check : null;
          });
      DatabaseSettings settings = server.up().settings(TestServer.name("group"));
      database = new Database(() -> settings, home, Failpoint.Listener.NONE);
      objects = new DurableObjects(home);
      prices = objects.add(new PricesProxy(database, TestServer.name("prices")));
      database.decisionStore().fence(1, null);
      objects.recover();
    }

    void put(String item, String price) {
      objects.startA();
      prices.put(item, new BigDecimal(price), SINCE);
      objects.commitA();
      transaction.commit();
    }

    @Override
    public void close() {
      database.close();
    }
  }

  @ParameterizedTest
  @EnumSource
  void anUpdateFailsThatTheDatabaseStoresOtherwise(TestServer server) {
    try (Container container = new Container(server, "restore")) {
      container.put("bread", "1.50");
      for (String price : List.of("1.505", "1.5")) {
        IllegalStateException failed = assertThrows(IllegalStateException.class, () -> container.put("milk", price));
        assertTrue(failed.getMessage().contains("PricesState.prices -> Map [milk] is " + price), failed.getMessage());
        container.transaction.rollback();
        assertEquals(Map.of("bread", new BigDecimal("1.50")), container.prices.prices());
      }
      container.put("milk", "1.51");
    }
  }

  @ParameterizedTest
  @EnumSource
  void nothingIsComparedWithoutTheCheck(TestServer server) {
    try (Container container = new Container(server, "off")) {
      container.put("milk", "1.505");
      assertEquals(Map.of("milk", new BigDecimal("1.505")), container.prices.prices());
    }
  }
}
