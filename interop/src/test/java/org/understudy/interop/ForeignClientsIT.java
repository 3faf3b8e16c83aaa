package org.understudy.interop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.opentest4j.TestAbortedException;
import org.understudy.test.strategy.ForEachStrategy;
import org.understudy.test.strategy.PerStrategy;
import org.understudy.test.strategy.Strategies;

/**
 * Whole sessions of each client, which knows the WSDLs' URLs and nothing of replication. Each client is made once: the contract
 * is the same for every strategy.
 */
@ForEachStrategy
// The test with the kill last: no other test needs the killed replica again.
@TestMethodOrder(MethodOrderer.MethodName.class)
class ForeignClientsIT {
  @RegisterExtension
  static final PerStrategy<TestedCluster> GROUP =
      new PerStrategy<>(TestedCluster::ofCounters, TestedCluster::down);

  private static final Map<ForeignClient, FutureTask<List<String>>> MADE = new EnumMap<>(ForeignClient.class);

  private final List<Session> sessions = new ArrayList<>();

  @AfterEach
  void stop() {
    sessions.forEach(Session::close);
  }

  /**
   * Makes all clients at once: downloads wait, and a compiler of C++ uses one processor. The first session begins when all are made. What
   * could not be made is tried again when it is needed again.
   */
  private static List<String> made(ForeignClient client) throws Exception {
    if (MADE.isEmpty()) {
      for (ForeignClient each : ForeignClient.values()) {
        begin(each);
      }
      for (FutureTask<List<String>> each : MADE.values()) {
        awaitEnd(each);
      }
    } else if (!MADE.containsKey(client)) {
      begin(client);
    }
    try {
      return MADE.get(client).get();
    } catch (ExecutionException e) {
      MADE.remove(client);
      if (e.getCause() instanceof Error failure) {
        throw failure;
      }
      throw (Exception) e.getCause();
    }
  }

  private static void begin(ForeignClient client) throws Exception {
    String wsdl = GROUP.get().wsdls(1).get(0);
    FutureTask<List<String>> making = new FutureTask<>(() -> client.make(wsdl));
    MADE.put(client, making);
    Thread thread = new Thread(making, "make-" + client);
    thread.setDaemon(true);
    thread.start();
  }

  private static void awaitEnd(FutureTask<List<String>> making) throws InterruptedException {
    try {
      making.get();
    } catch (ExecutionException e) {
      // The test that needs the client throws it.
    }
  }

  private Session start(ForeignClient client, int first) throws Exception {
    Session session = new Session(made(client), GROUP.get().wsdls(first));
    sessions.add(session);
    return session;
  }

  /** The clients that can be made here; {@link #carriesOutItsSession} reports why one cannot. */
  private static List<ForeignClient> available() throws Exception {
    List<ForeignClient> available = new ArrayList<>();
    for (ForeignClient client : ForeignClient.values()) {
      try {
        made(client);
        available.add(client);
      } catch (TestAbortedException e) {
        // Its tools are missing.
      }
    }
    return available;
  }

  /** At every replica, or at a backup alone. */
  @ParameterizedTest(name = "{0}")
  @EnumSource
  void carriesOutItsSession(ForeignClient client) throws Exception {
    int leader = GROUP.get().awaitWhole();
    for (int i = 1; i <= (client.isLight() ? TestedCluster.REPLICAS : 1); i++) {
      start(client, (leader - 1 + i) % TestedCluster.REPLICAS + 1);
    }
    for (Session session : sessions) {
      session.await("busy");
    }
    for (Session session : sessions) {
      session.goOn();
    }
    for (Session session : sessions) {
      assertEquals(0, session.retriesAtTheEnd(), session::toString);
    }
  }

  /**
   * All of them at once. Those at the killed replica go on at another one. Those elsewhere only wait where each replica executes;
   * with a primary, what it has created for them has its address.
   */
  @Test
  void carryOutTheirSessionsWhileThePrimaryOrSequencerIsKilled() throws Exception {
    List<ForeignClient> clients = available();
    int leader = GROUP.get().awaitWhole();
    List<Session> there = new ArrayList<>();
    List<Session> elsewhere = new ArrayList<>();
    for (ForeignClient client : clients) {
      there.add(start(client, leader));
      if (client.isLight()) {
        elsewhere.add(start(client, leader % TestedCluster.REPLICAS + 1));
      }
    }
    for (Session session : sessions) {
      session.await("busy");
    }
    GROUP.get().killLeader(leader);
    for (Session session : sessions) {
      session.goOn();
    }
    for (Session session : there) {
      assertTrue(session.retriesAtTheEnd() > 0, () -> "The client was not at the killed replica:\n" + session);
    }
    for (Session session : elsewhere) {
      int retries = session.retriesAtTheEnd();
      assertTrue(retries == 0 || !Strategies.current().equals("group"), session::toString);
    }
  }
}
