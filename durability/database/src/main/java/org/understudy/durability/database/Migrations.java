package org.understudy.durability.database;

import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.CRC32;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;
import org.flywaydb.core.api.MigrationVersion;
import org.flywaydb.core.api.exception.FlywayValidateException;
import org.flywaydb.core.api.migration.Context;
import org.flywaydb.core.api.migration.JavaMigration;

/**
 * Creates tables: each migration runs once in the life of the database, which Flyway records in the table {@code understudy_history}.
 * Flyway holds a lock meanwhile, so that one replica alone migrates and the others wait for it.
 */
final class Migrations {
  /** Versions below are ours; each state object has a version above, made of its name. */
  private static final long FIRST_OBJECT = 1000;

  private final DataSource pool;
  private final Map<String, JavaMigration> known = new TreeMap<>();
  private volatile boolean done;

  Migrations(DataSource pool, Product product) {
    this.pool = pool;
    known.put("", new Script("1", "decisions", product.tables()));
    known.put(" ", new Script("2", "branches", List.of(product.branchTable())));
  }

  /** Creates the tables of decisions. */
  synchronized void run() {
    if (!done) {
      migrate("the tables of decisions");
    }
  }

  /** Whether the tables of decisions are known to exist. */
  boolean isDone() {
    return done;
  }

  /** Returns whether the tables of decisions exist, and these statements have run for the state object. Changes nothing. */
  synchronized boolean haveRun(String object, List<String> statements) {
    Map<String, JavaMigration> expected = new TreeMap<>(known);
    expected.put(object, script(object, statements));
    boolean all = flyway(expected).validateWithResult().validationSuccessful;
    if (all) {
      known.putAll(expected);
      done = true;
    }
    return all;
  }

  /**
   * Runs the statements that a mapping gives for a state object, unless they have run.
   *
   * @throws StatementFailedException when one of them fails, or when others have run for this name
   */
  synchronized void initialize(String object, List<String> statements) {
    known.put(object, script(object, statements));
    migrate("the tables of the state object " + object);
  }

  private static Script script(String object, List<String> statements) {
    return new Script(Long.toString(FIRST_OBJECT + crc(object)), "initialization of " + object, statements);
  }

  private Flyway flyway(Map<String, JavaMigration> migrations) {
    return Flyway.configure(Migrations.class.getClassLoader())
        .loggers(FlywayLog.class.getName())
        .dataSource(pool)
        .table("understudy_history")
        .locations(new String[0])
        .javaMigrations(migrations.values().toArray(JavaMigration[]::new))
        // Tables of others may be in the schema, and further services may have theirs.
        .baselineOnMigrate(true)
        .baselineVersion("0")
        .outOfOrder(true)
        .ignoreMigrationPatterns("*:missing", "*:future")
        .load();
  }

  private void migrate(String what) {
    try {
      flyway(known).migrate();
      done = true;
    } catch (FlywayValidateException e) {
      throw new StatementFailedException(
          "The database has other tables than the mapping: the statements that create " + what + " have changed since they ran, or failed "
              + "halfway. Change the tables by hand, and then the checksum in the table understudy_history; docs/operations.md shows how. "
              + mismatch(e),
          e);
    } catch (FlywayException e) {
      if (Failure.of(e) == Failure.CONNECTION) {
        throw e;
      }
      throw new StatementFailedException("The database could not create " + what + ": " + Failure.describe(e) + ".", e);
    }
  }

  /** The version and both checksums, from the lines of Flyway's message. */
  private static String mismatch(Exception thrown) {
    List<String> lines = thrown.getMessage().lines().map(String::strip).filter(line -> !line.isEmpty()).toList();
    return String.join("; ", lines.subList(Math.min(1, lines.size()), Math.min(4, lines.size())));
  }

  private static long crc(String text) {
    CRC32 crc = new CRC32();
    crc.update(text.getBytes(StandardCharsets.UTF_8));
    return crc.getValue();
  }

  /** Statements as a migration. */
  private static final class Script implements JavaMigration {
    private final String version;
    private final String description;
    private final List<String> statements;

    Script(String version, String description, List<String> statements) {
      this.version = version;
      this.description = description;
      this.statements = Collections.unmodifiableList(new ArrayList<>(statements));
    }

    @Override
    public MigrationVersion getVersion() {
      return MigrationVersion.fromVersion(version);
    }

    @Override
    public String getDescription() {
      return description;
    }

    @Override
    public Integer getChecksum() {
      return (int) crc(String.join(";\n", statements));
    }

    @Override
    public boolean canExecuteInTransaction() {
      return true;
    }

    @Override
    public void migrate(Context context) throws SQLException {
      for (String sql : statements) {
        try (Statement statement = context.getConnection().createStatement()) {
          statement.execute(sql);
        }
      }
    }
  }
}
