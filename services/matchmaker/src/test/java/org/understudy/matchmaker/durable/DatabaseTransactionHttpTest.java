package org.understudy.matchmaker.durable;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HexFormat;
import java.util.Map;
import java.util.stream.Stream;
import javax.management.JMException;
import javax.management.ObjectName;
import javax.management.RuntimeMBeanException;
import org.h2.tools.Server;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.understudy.test.Condition;
import org.understudy.test.DatabaseRow;
import org.understudy.test.cluster.Answer;
import org.understudy.test.cluster.PeerRelay;
import org.understudy.test.cluster.TestCluster;
import org.understudy.test.network.FreePorts;

/**
 * Transactions over two groups, each with a database: the till keeps a sum in its database alone, the market has machines in the replicated
 * state and accounts in its database. Each of them coordinates transactions.
 */
class DatabaseTransactionHttpTest {
  private static final String TYPE = "text/xml; charset=UTF-8";
  private static final String TILL = "/services/TallyService";
  private static final String MARKET = "/services/MatchmakerService";
  private static Path data;
  private static int port;
  private static Server server;
  private static TestCluster till;
  private static TestCluster market;
  private static PeerRelay toTill;
  private static PeerRelay toMarket;
  private static int jobs;

  @BeforeAll
  static void start(@TempDir Path directory) throws Exception {
    data = directory.resolve("data");
    port = FreePorts.next();
    serve();
    toTill = new PeerRelay();
    toMarket = new PeerRelay();
    till = group(directory, "till", TallyService.class, "market=" + toMarket.address());
    market = group(directory, "market", Class.forName("org.understudy.matchmaker.pbdb.MatchmakerService"), "till=" + toTill.address());
    toTill.to(message -> till.post(till.primary(), TILL, message, TYPE));
    toMarket.to(message -> market.post(market.primary(), MARKET, message, TYPE));
    advertise();
  }

  private static void advertise() {
    for (int i = 1; i <= 20; i++) {
      Answer advertised = post(
          market, MARKET, "",
          "<machineAdvertise xmlns='urn:understudy:matchmaker:1'><resourceId>m" + i + "</resourceId><cpuMhz>1000</cpuMhz>"
              + "<memoryMb>512</memoryMb><diskMb>100</diskMb><ipAddress>10.0.0.1</ipAddress><identification>k</identification>"
              + "</machineAdvertise>");
      assertEquals(200, advertised.status(), advertised.text());
    }
  }

  private static void serve() throws SQLException {
    server = Server.createTcpServer("-tcpPort", Integer.toString(port), "-ifNotExists", "-baseDir", data.toString()).start();
  }

  private static TestCluster group(Path directory, String name, Class<?> service, String peers) throws Exception {
    Map<String, String> settings =
        Map.of(
            "understudy.strategy", "primary-backup", "understudy.group", name, "understudy.database.url", url(name),
            "understudy.database.user", "sa", "understudy.execution.ms", "2000", "understudy.transaction.peers", peers,
            "understudy.transaction.secret", "a secret of two groups", "understudy.transaction.lifetime.ms", "600000");
    return new TestCluster(Files.createDirectory(directory.resolve(name)), new DurableApplication(service), 3, settings);
  }

  @AfterAll
  static void stop() throws Exception {
    toTill.close();
    toMarket.close();
    try {
      till.close();
    } finally {
      market.close();
      server.stop();
    }
  }

  // ---- requests

  private static Answer post(TestCluster group, String path, String header, String body) {
    String envelope =
        "<Envelope xmlns='http://schemas.xmlsoap.org/soap/envelope/'><Header>" + header + "</Header><Body>" + body + "</Body></Envelope>";
    return group.post(group.primary(), path, envelope.getBytes(StandardCharsets.UTF_8), TYPE);
  }

  private static String in(String transaction, String coordinator) {
    return "<ReplicationHeader xmlns='urn:understudy:replication:1'><Transaction><Id>" + transaction + "</Id><Coordinator>" + coordinator
        + "</Coordinator></Transaction></ReplicationHeader>";
  }

  private static Answer add(String header, long n) {
    return post(till, TILL, header, "<t:add xmlns:t='urn:tally'><n xmlns=''>" + n + "</n></t:add>");
  }

  private static Answer submit(String header) {
    return post(
        market, MARKET, header,
        "<jobSubmit xmlns='urn:understudy:matchmaker:1'><jobId>j" + ++jobs + "</jobId><clientId>ann</clientId><cpuMhz>500</cpuMhz>"
            + "<memoryMb>256</memoryMb><diskMb>10</diskMb><priority>3</priority></jobSubmit>");
  }

  private static Answer balance() {
    return post(market, MARKET, "", "<balance xmlns='urn:understudy:matchmaker:1'><clientId>ann</clientId></balance>");
  }

  private static String operation(TestCluster group, String path, String name, String transaction) {
    String content = transaction == null ? "" : "<Transaction>" + transaction + "</Transaction>";
    Answer answer = post(group, path, "", "<" + name + " xmlns='urn:understudy:replication:1'>" + content + "</" + name + ">");
    return answer.status() != 200
        ? answer.between("<ur:Code>", "</ur:Code>") : transaction == null ? answer.between("<ur:Transaction>", "</ur:Transaction>") : "";
  }

  /** Begins a transaction at one of the groups, which adds 5 to the till and takes a machine. */
  private static String begin(TestCluster group) {
    boolean atTill = group == till;
    String transaction = operation(group, atTill ? TILL : MARKET, "BeginTransaction", null);
    String header = in(transaction, atTill ? "till" : "market");
    ok(add(header, 5));
    assertTrue(ok(submit(header)).text().contains("resourceId"), "a machine is allocated");
    return transaction;
  }

  /**
   * Commits a transaction of this coordinator. The other group has voted and is in doubt: the decision does not reach it, and its
   * question for it gets no answer, until the {@link #reconnect}.
   *
   * @return its id
   */
  private static String commitUnheard(TestCluster coordinator) {
    boolean atTill = coordinator == till;
    String transaction = begin(coordinator);
    (atTill ? toMarket : toTill).lose("COMMIT");
    (atTill ? toTill : toMarket).lose("STATUS");
    assertEquals("", operation(coordinator, atTill ? TILL : MARKET, "CommitTransaction", transaction));
    assertTrue(doubtful(atTill ? market : till));
    return transaction;
  }

  /** All messages between the groups arrive again. */
  private static void reconnect() {
    toMarket.lose();
    toTill.lose();
  }

  private static Answer ok(Answer answer) {
    assertEquals(200, answer.status(), answer.text());
    return answer;
  }

  // ---- what the databases contain

  private static String url(String name) {
    return "jdbc:h2:tcp://127.0.0.1:" + port + "/./" + name;
  }

  private static long number(String database, String sql) {
    return DatabaseRow.number(url(database), sql);
  }

  private static long sum() {
    return number("till", "SELECT n FROM tally");
  }

  private static long bill() {
    return number("market", "SELECT balance FROM bills WHERE clientId = 'ann'");
  }

  private static boolean areBranchesEnded() {
    return number("till", "SELECT COUNT(*) FROM understudy_branch") == 0 && number("market", "SELECT COUNT(*) FROM understudy_branch") == 0;
  }

  private static boolean doubtful(TestCluster group) {
    return group.health(group.primary(), "ready").body().contains("\"inDoubtTransactions\":1");
  }

  /** Both groups have ended the transaction, and show in memory what their databases contain. */
  private static void settled(long sum, long bill) {
    Condition.await("the decision", () -> !doubtful(till) && !doubtful(market) && areBranchesEnded());
    assertEquals(sum, sum());
    assertEquals(bill, bill());
    Condition.await("the till", () -> add("", 0).status() == 200);
    assertEquals(sum, Long.parseLong(ok(add("", 0)).between("<return>", "</return>")));
    assertTrue(ok(balance()).text().contains(">" + bill + "<"), balance().text());
  }

  // ---- tests

  @Test
  void bothGroupsCommitOrAbort() {
    for (TestCluster coordinator : new TestCluster[] {till, market}) {
      String path = coordinator == till ? TILL : MARKET;
      long sum = sum();
      long bill = bill();
      String transaction = begin(coordinator);
      assertEquals(sum, sum(), "nothing is committed before the end");
      assertEquals("", operation(coordinator, path, "CommitTransaction", transaction));
      settled(sum + 5, bill + 1);
      transaction = begin(coordinator);
      assertEquals("", operation(coordinator, path, "AbortTransaction", transaction));
      settled(sum + 5, bill + 1);
    }
  }

  /** The decision is committed, and reaches another primary than the one that has voted. */
  @Test
  void theNextPrimaryCommitsWhatIsPrepared() throws Exception {
    for (TestCluster participant : new TestCluster[] {market, till}) {
      TestCluster coordinator = participant == till ? market : till;
      long sum = sum();
      long bill = bill();
      commitUnheard(coordinator);
      int stopped = participant.primary();
      participant.stop(stopped);
      Condition.await("the next primary", () -> participant.health(participant.primary(), "ready").statusCode() == 200);
      assertTrue(doubtful(participant));
      Answer locked = participant == till ? add("", 1) : submit("");
      assertEquals("Overloaded", locked.between("<ur:Code>", "</ur:Code>"), locked.text());
      assertEquals(participant == till ? sum : sum + 5, sum());
      assertEquals(participant == till ? bill + 1 : bill, bill());
      reconnect();
      settled(sum + 5, bill + 1);
      participant.start(stopped);
      participant.awaitReady(stopped);
    }
  }

  /** The market votes, and both primaries fail before the vote has arrived. */
  @Test
  void theNextPrimaryRollsBackWhatIsPrepared() throws Exception {
    long sum = sum();
    long bill = bill();
    String transaction = begin(till);
    toMarket.lose("answer to PREPARE");
    toTill.lose("STATUS");
    Thread commit = new Thread(() -> operation(till, TILL, "CommitTransaction", transaction));
    commit.start();
    Condition.await("the vote", () -> doubtful(market));
    int participant = market.primary();
    market.stop(participant);
    int coordinator = till.primary();
    till.stop(coordinator);
    commit.join();
    reconnect();
    settled(sum, bill);
    market.start(participant);
    till.start(coordinator);
    market.awaitReady(participant);
    till.awaitReady(coordinator);
  }

  @Test
  void aDatabaseThatIsDownLeavesTheTransactionInDoubt() throws Exception {
    long sum = sum();
    long bill = bill();
    commitUnheard(till);
    server.stop();
    reconnect();
    assertTrue(doubtful(market));
    assertEquals("Overloaded", submit("").between("<ur:Code>", "</ur:Code>"));
    serve();
    settled(sum + 5, bill + 1);
  }

  /** A primary has committed the branch and died before the mark. An operator's abort must not keep the group in doubt for ever. */
  @Test
  void anOperatorCannotAbortWhatTheDatabaseHasCommitted() throws Exception {
    long sum = sum();
    long bill = bill();
    String transaction = commitUnheard(till);
    int stopped = market.primary();
    market.stop(stopped);
    Condition.await("the next primary", () -> market.health(market.primary(), "ready").statusCode() == 200);
    commitBranch();
    RuntimeMBeanException refused = assertThrows(RuntimeMBeanException.class, () -> control("abort", transaction));
    assertTrue(refused.getCause().getMessage().contains("cannot be aborted here"), refused.getCause().getMessage());
    assertFalse(control("report").contains("by an operator"), control("report"));
    reconnect();
    settled(sum + 5, bill + 1);
    market.start(stopped);
    market.awaitReady(stopped);
  }

  /** Commits the prepared branch of the market. */
  private static void commitBranch() throws SQLException {
    try (Connection connection = DriverManager.getConnection(url("market"), "sa", ""); Statement statement = connection.createStatement()) {
      String name;
      try (ResultSet row = statement.executeQuery("SELECT TRANSACTION_NAME FROM INFORMATION_SCHEMA.IN_DOUBT")) {
        assertTrue(row.next());
        name = row.getString(1);
      }
      statement.execute("COMMIT TRANSACTION \"" + name + "\"");
    }
  }

  /** The log knows nothing of the votes: the coordinator's decision ends one branch all the same, and an operator the other one. */
  @Test
  void aVoteOutlivesTheMemoryOfAllReplicas() throws Exception {
    long sum = sum();
    long bill = bill();
    String transaction = commitUnheard(till);
    for (int number = 1; number <= 3; number++) {
      market.stop(number);
    }
    String name = "fedcba9876543210fedcba9876543210";
    prepare("INSERT INTO bills (clientId, balance) VALUES ('bob', 1)", name, "urn:wsat");
    insertRow("never-prepared", "00112233445566778899aabbccddeeff");
    insertRow("ended", "ffeeddccbbaa99887766554433221100");
    for (int number = 1; number <= 3; number++) {
      market.start(number, Map.of("understudy.restart", "empty"));
    }
    Condition.await("a primary without memory", () -> balance().status() == 200);
    assertEquals(bill, bill());
    String lost = "; its memory part is lost, its branch ";
    Condition.await("both branches to be listed", () -> {
      String report = control("report");
      return report.contains("in doubt never-prepared") && report.contains("in doubt ended")
          && report.contains("in doubt " + transaction + ": for ")
          && report.contains(" s, waits for the decision of the group till" + lost)
          && report.contains("in doubt urn:wsat: for ") && report.contains(" s, waits for the decision of its coordinator" + lost);
    });
    assertEquals("The transaction urn:wsat is committed.", control("commit", "urn:wsat"));
    assertEquals(1, number("market", "SELECT balance FROM bills WHERE clientId = 'bob'"));
    assertTrue(control("inDoubt").contains(transaction), "the other one waits");
    // Its memory was lost before it was prepared. What the database cannot do is not kept, and an operator may decide otherwise.
    RuntimeMBeanException refused = assertThrows(RuntimeMBeanException.class, () -> control("commit", "never-prepared"));
    assertTrue(refused.getCause().getMessage().contains("has not ended so"), refused.getCause().getMessage());
    assertFalse(control("report").contains("by an operator"), control("report"));
    assertEquals("The transaction never-prepared is aborted.", control("abort", "never-prepared"));
    control("forget", "never-prepared");
    deleteRow("ended");
    assertThrows(RuntimeMBeanException.class, () -> control("commit", "ended"));
    assertFalse(control("report").contains("by an operator"), control("report"));
    reconnect();
    settled(sum + 5, bill + 1);
    advertise();
  }

  /** A primary has prepared a branch and died before its update entered the log. */
  @Test
  void aBranchThatNobodyHasVotedForIsRolledBack() throws Exception {
    assertEquals("", operation(till, TILL, "CommitTransaction", begin(till)));
    Condition.await("the decision", () -> !doubtful(market) && areBranchesEnded());
    long sum = sum();
    long bill = bill();
    prepare("UPDATE bills SET balance = 1000", "0123456789abcdef0123456789abcdef", "a");
    settled(sum, bill);
    assertEquals("", operation(till, TILL, "CommitTransaction", begin(till)), "no lock is left");
    settled(sum + 5, bill + 1);
  }

  private static void deleteRow(String transaction) throws SQLException {
    try (Connection connection = DriverManager.getConnection(url("market"), "sa", ""); Statement statement = connection.createStatement()) {
      statement.execute("DELETE FROM understudy_branch WHERE transaction_id = STRINGTOUTF8('" + transaction + "')");
    }
  }

  /** A branch of the market that was not prepared before its primary died. */
  private static void insertRow(String transaction, String name) throws SQLException {
    long epoch = number("market", "SELECT MAX(epoch) FROM understudy_epoch");
    try (Connection dead = DriverManager.getConnection(url("market"), "sa", ""); Statement statement = dead.createStatement()) {
      statement.execute(
          "INSERT INTO understudy_branch VALUES ('market', " + epoch + ", '" + name + "', 0, STRINGTOUTF8('" + transaction
              + "'), STRINGTOUTF8('till 0'))");
    }
  }

  /** Prepares a branch of the market, as a primary does that dies afterwards. */
  private static void prepare(String sql, String name, String transaction) throws Exception {
    long epoch = number("market", "SELECT MAX(epoch) FROM understudy_epoch");
    try (Connection dead = DriverManager.getConnection(url("market"), "sa", ""); Statement statement = dead.createStatement()) {
      statement.execute(
          "INSERT INTO understudy_branch VALUES ('market', " + epoch + ", '" + name + "', 0, STRINGTOUTF8('" + transaction + "'), X'')");
      dead.setAutoCommit(false);
      statement.execute(sql);
      statement.execute("UPDATE understudy_branch SET committed = 1 WHERE name = '" + name + "'");
      statement.execute("PREPARE COMMIT \"UNDERSTUDY_" + digest("market") + "_" + epoch + "_" + name + "\"");
    }
  }

  private static String control(String operation, String... parameters) {
    String[] types = Stream.of(parameters).map(one -> String.class.getName()).toArray(String[]::new);
    try {
      ObjectName name = new ObjectName("org.understudy:type=Transactions,group=\"market\",replica=" + market.primary());
      return (String) ManagementFactory.getPlatformMBeanServer().invoke(name, operation, parameters, types);
    } catch (JMException e) {
      throw new IllegalStateException(e);
    }
  }

  private static String digest(String group) throws NoSuchAlgorithmException {
    return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(group.getBytes(StandardCharsets.UTF_8)), 0, 8);
  }
}
