package org.understudy.durability.database;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import java.util.logging.Level;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.understudy.test.LogRecorder;

/** A start, and a repeated failure, write none of Flyway's lines; a warning that no correct start causes does. */
class FlywayLogTest {
  private final LogRecorder log = LogRecorder.of(Level.INFO, "org.flywaydb");

  @AfterEach
  void remove() {
    log.close();
  }

  @Test
  void startsAndRefusedStatementsWriteNoLines() {
    DatabaseSettings settings =
        DatabaseSettings.of(key -> key.equals("understudy.database.url") ? "jdbc:h2:mem:flyway;DB_CLOSE_DELAY=-1" : null);
    // The second has not the objects of the first, and its object may have a lower version.
    for (String table : List.of("bills", "accounts")) {
      try (TestReplica replica = new TestReplica(settings, table)) {
        replica.createTable();
        replica.createTable();
      }
    }
    try (TestReplica replica = new TestReplica(settings, "jobs")) {
      for (int attempt = 1; attempt <= 2; attempt++) {
        assertThrows(StatementFailedException.class, () -> replica.sql().initialize("wrong", List.of("CREATE TABEL wrong")));
      }
    }
    assertEquals(List.of(), log.lines());
  }

  @Test
  void otherWarningsStay() {
    new FlywayLog().createLogger(FlywayLogTest.class).warn("The connection is read-only.");
    assertEquals(List.of("The connection is read-only."), log.lines());
  }
}
