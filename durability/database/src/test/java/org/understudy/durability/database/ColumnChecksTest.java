package org.understudy.durability.database;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.Statement;
import java.time.DayOfWeek;
import java.time.Instant;
import java.time.LocalTime;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Columns that store other values than they get are rejected, or warned about, with their table and name. */
class ColumnChecksTest {
  private static TestReplica replica(TestServer server, String columns) {
    TestReplica replica = new TestReplica(server.up().settings(TestServer.name("group")), TestServer.name("stored"));
    replica.sql().initialize(replica.table(), List.of("CREATE TABLE " + replica.table() + " (" + columns + ")"));
    return replica;
  }

  private static Map<String, List<Class<?>>> reading(TestReplica replica, String columns, Class<?>... types) {
    return Map.of("SELECT " + columns + " FROM " + replica.table(), List.of(types));
  }

  /** What the only column of a table of this type may change in values of a type. */
  private static List<String> warnings(TestServer server, String type, Class<?> value) throws Exception {
    try (TestReplica replica = replica(server, "x " + type);
        Connection connection = replica.database().opened().connections().connection()) {
      return warnings(replica, connection, value);
    }
  }

  private static List<String> warnings(TestReplica replica, Connection connection, Class<?> value) throws Exception {
    ColumnChecks checks = new ColumnChecks(connection, replica.database().opened().connections().product());
    checks.check(reading(replica, "x", value));
    assertEquals(List.of(), checks.rejections());
    return checks.warnings();
  }

  private static void assertWarns(String words, List<String> warnings) {
    assertEquals(1, warnings.size(), warnings.toString());
    assertTrue(warnings.get(0).contains(words), warnings.get(0));
    assertTrue(warnings.get(0).matches("(?i)(The column stored\\d+\\.x |sql_mode ).*"), warnings.get(0));
  }

  private static String text(TestServer server, String type) {
    if (server == TestServer.H2) {
      return type;
    }
    try (TestReplica replica = replica(server, "x INT")) {
      boolean isMariaDb = replica.database().opened().connections().product() == Product.MARIADB;
      return type + " CHARACTER SET utf8mb4 COLLATE " + (isMariaDb ? "utf8mb4_nopad_bin" : "utf8mb4_0900_bin");
    }
  }

  @ParameterizedTest
  @EnumSource
  void aColumnOfFixedLengthForTextsIsRejected(TestServer server) {
    try (TestReplica replica = replica(server, "name CHAR(20) PRIMARY KEY, id CHAR(36), sign CHAR(1), kind CHAR(9)")) {
      for (Class<?> type : List.of(String.class, Object.class, DayOfWeek.class)) {
        StatementFailedException rejected =
            assertThrows(
                StatementFailedException.class,
                () -> replica.sql().checkColumns("bills", reading(replica, "sign, name", char.class, type)));
        String message = rejected.getMessage().toLowerCase(Locale.ROOT);
        assertTrue(message.contains("object bills") && message.contains(replica.table() + ".name is char(20)"), message);
      }
      replica.sql().checkColumns("bills", reading(replica, "sign, id", char.class, UUID.class));
      replica.sql().checkColumns("bills", Map.of("SELECT sign, id FROM " + replica.table(), List.of()));
    }
  }

  @ParameterizedTest
  @EnumSource
  void columnsThatKeepTheirValuesAreNotWarnedAbout(TestServer server) throws Exception {
    Map<String, List<Class<?>>> kept = Map.of(
        text(server, "VARCHAR(40)"), List.of(String.class, DayOfWeek.class, UUID.class, char.class),
        "BIGINT", List.of(int.class, Long.class, boolean.class),
        server == TestServer.H2 ? "DOUBLE PRECISION" : "DOUBLE", List.of(double.class, float.class),
        "VARBINARY(10)", List.of(byte[].class),
        server == TestServer.H2 ? "TIMESTAMP" : "DATETIME", List.of(Instant.class),
        "TIME", List.of(LocalTime.class));
    for (Map.Entry<String, List<Class<?>>> column : kept.entrySet()) {
      for (Class<?> value : column.getValue()) {
        assertEquals(List.of(), warnings(server, column.getKey(), value), column.getKey());
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void whatAColumnChangesIsWarnedAbout(TestServer server) throws Exception {
    assertWarns("rounded to 2 digits", warnings(server, "DECIMAL(10, 2)", BigDecimal.class));
    assertWarns("rounded to 2 digits", warnings(server, "DECIMAL(10, 2)", double.class));
    assertWarns("fractions are rounded", warnings(server, "INT", double.class));
    assertWarns("lose digits", warnings(server, "REAL", long.class));
    assertWarns("lose digits", warnings(server, server == TestServer.H2 ? "DOUBLE PRECISION" : "DOUBLE", BigDecimal.class));
    assertWarns("converted to numbers", warnings(server, "INT", String.class));
    assertWarns("zeros at their end", warnings(server, "BINARY(10)", byte[].class));
    assertWarns("part of the time", warnings(server, "DATE", Instant.class));
    assertWarns("longest name of TimeUnit", warnings(server, text(server, "VARCHAR(4)"), TimeUnit.class));
  }

  @ParameterizedTest
  @EnumSource
  void whatACollationIgnoresIsWarnedAbout(TestServer server) throws Exception {
    String ignoring =
        server == TestServer.H2 ? "VARCHAR_IGNORECASE(20)" : "VARCHAR(20) CHARACTER SET utf8mb4 COLLATE utf8mb4_general_ci";
    assertWarns("ignores upper and lower case", warnings(server, ignoring, String.class));
    if (server == TestServer.MYSQL) {
      assertWarns("ignores spaces at the end", warnings(server, "VARCHAR(20) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin", String.class));
    }
  }

  @ParameterizedTest
  @EnumSource(names = "MYSQL")
  void aModeThatCutsValuesIsWarnedAbout(TestServer server) throws Exception {
    try (TestReplica replica = replica(server, "x BIGINT");
        Connection connection = replica.database().opened().connections().connection();
        Statement statement = connection.createStatement()) {
      try {
        statement.execute("SET SESSION sql_mode = ''");
        assertWarns("lacks STRICT_TRANS_TABLES", warnings(replica, connection, long.class));
      } finally {
        replica.database().opened().connections().detach(connection);
      }
    }
  }
}
