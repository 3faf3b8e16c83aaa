package org.understudy.wsat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.arjuna.ats.arjuna.common.ObjectStoreEnvironmentBean;
import com.arjuna.ats.arjuna.common.Uid;
import com.arjuna.ats.arjuna.exceptions.ObjectStoreException;
import com.arjuna.ats.arjuna.state.InputObjectState;
import com.arjuna.ats.arjuna.state.OutputObjectState;
import com.arjuna.mwlabs.wscf.model.twophase.arjunacore.ATCoordinator;
import com.arjuna.mwlabs.wst.util.PersistableParticipantHelper;
import jakarta.servlet.ServletException;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Collectors;
import org.apache.cxf.staxutils.StaxUtils;
import org.apache.cxf.wsdl.service.factory.ReflectionServiceFactoryBean;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.understudy.container.configuration.WsatSettings;
import org.understudy.container.transaction.ContradictedDecisionException;
import org.understudy.container.transaction.TransactionContext;
import org.understudy.container.transaction.Vote;
import org.understudy.test.Condition;
import org.understudy.test.LogRecorder;
import org.understudy.test.network.FreePorts;
import org.understudy.test.process.Program;
import org.understudy.wsat.coordinator.Activities;
import org.understudy.wsat.participant.AtomicTransactionCoordination;
import org.understudy.wsat.store.PlantedRecord;
import org.understudy.wsat.store.SerializationFreeStore;
import org.w3c.dom.Element;

/** A coordinator in a process of its own, and two participants in Tomcats: one in this process, one in the coordinator's. */
class AtomicTransactionHttpTest {
  private static final int COORDINATOR = FreePorts.next();
  private static final int PARTICIPANT = FreePorts.next();
  private static final String COORDINATOR_URL = "http://127.0.0.1:" + COORDINATOR + "/app";
  private static final String PARTICIPANT_URL = "http://127.0.0.1:" + PARTICIPANT + "/app";

  @TempDir
  static Path directory;

  private static Set<Thread> before;
  private static Program coordinator;
  private static WsatServer participant;
  private static final Ledger LEDGER = new Ledger();
  private static final Ledger SECOND = new Ledger();

  private final WsatClient client = new WsatClient(COORDINATOR_URL);
  private final AtomicTransactionCoordination coordination = new AtomicTransactionCoordination();

  @BeforeAll
  static void start() throws Exception {
    before = Thread.getAllStackTraces().keySet();
    coordinator = process();
    participant = WsatServer.start(directory.resolve("participant"), PARTICIPANT, "participant");
    coordinator.out().await(WsatServer.READY);
    assertFalse(coordinator.out().toString().contains("ARJUNA048002"), "Narayana misses no file of settings");
    // In place of the web application's.
    new AtomicTransactionCoordination().started(LEDGER);
  }

  private static Program process() throws Exception {
    return WsatServer.process(directory.resolve("coordinator"), COORDINATOR, "coordinator", Map.of());
  }

  @AfterEach
  void reset() {
    LEDGER.beforeCommit(() -> {});
    SECOND.beforePrepare(() -> {});
  }

  /** Lets both participants join a transaction, and returns its id. */
  private String join(Element header) throws Exception {
    TransactionContext context = coordination.contextOf(header);
    coordination.registered(context.id(), coordination.register(context, List.of(1)));
    Volunteer.register(context, SECOND);
    return context.id();
  }

  @Test
  void commitsAtAllParticipants() throws Exception {
    WsatClient.Transaction transaction = client.begin();
    String id = join(transaction.context);
    HttpResponse<String> answer = transaction.commit();
    assertEquals(200, answer.statusCode(), answer.body());
    assertTrue(answer.body().contains(">true</Result>"), answer.body());
    assertEquals(List.of("prepare", "commit"), LEDGER.asked(id));
    assertEquals(List.of("prepare", "commit"), SECOND.asked(id));
  }

  @Test
  void aVetoAbortsAtAllParticipants() throws Exception {
    WsatClient.Transaction transaction = client.begin();
    String id = join(transaction.context);
    SECOND.votes(id, Vote.ABORTED);
    HttpResponse<String> answer = transaction.commit();
    assertEquals(200, answer.statusCode(), answer.body());
    assertTrue(answer.body().contains(">false</Result>"), answer.body());
    Condition.await("the first participant aborts", () -> LEDGER.asked(id).equals(List.of("prepare", "abort")));
    assertEquals(List.of("prepare"), SECOND.asked(id));
  }

  @Test
  void theClientsRollbackAbortsWithoutPrepare() throws Exception {
    WsatClient.Transaction transaction = client.begin();
    String id = join(transaction.context);
    assertEquals(200, transaction.rollback().statusCode());
    assertEquals(List.of("abort"), LEDGER.asked(id));
    assertEquals(List.of("abort"), SECOND.asked(id));
  }

  @Test
  void aCoordinatorLogsThatAnOperatorHasDecidedOtherwise() throws Exception {
    WsatClient.Transaction transaction = client.begin();
    String id = join(transaction.context);
    LEDGER.beforeCommit(() -> {
      throw new ContradictedDecisionException("An operator has decided otherwise.");
    });
    CompletableFuture<HttpResponse<String>> commit = CompletableFuture.supplyAsync(() -> {
      try {
        return transaction.commit();
      } catch (Exception e) {
        throw new IllegalStateException(e);
      }
    });
    String line = coordinator.out().await("SEVERE: The participant ");
    assertTrue(line.matches(".* at http://\\S+/ws-t11-participant/ParticipantService answered InconsistentInternalState.*"), line);
    LEDGER.beforeCommit(() -> {});
    Condition.await("the coordinator sends its decision again", () -> LEDGER.asked(id).equals(List.of("prepare", "commit")));
    assertEquals(200, commit.join().statusCode());
  }

  @Test
  void aHaltedCoordinatorFinishesWhatItDecidedAbortsTheOthersAndReadsNoSerializedObject() throws Exception {
    WsatClient.Transaction transaction = client.begin();
    String id = join(transaction.context);
    WsatClient.Transaction undecided = client.begin();
    String undecidedId = join(undecided.context);
    LEDGER.beforeCommit(() -> {
      commitUntilHalted(undecided);
      throw new IllegalStateException("The coordinator has halted meanwhile.");
    });
    assertThrows(IOException.class, transaction::commit);
    assertEquals(List.of("prepare"), LEDGER.asked(id));
    assertEquals(List.of("prepare"), LEDGER.asked(undecidedId));
    LEDGER.beforeCommit(() -> {});
    SECOND.beforePrepare(() -> {});
    plant(WsatServer.store(directory.resolve("coordinator")), new ATCoordinator().type(), new Uid());
    coordinator = process();
    assertTrue(coordinator.out().await("SEVERE: The record ").contains("holds a serialised Java object"));
    coordinator.out().await(WsatServer.READY);
    Condition.await("the first participant commits", () -> LEDGER.asked(id).equals(List.of("prepare", "commit")));
    Condition.await("the second participant commits", () -> SECOND.asked(id).equals(List.of("prepare", "commit")));
    Condition.await("the first participant aborts", () -> LEDGER.asked(undecidedId).equals(List.of("prepare", "abort")));
    Condition.await("the second participant aborts", () -> SECOND.asked(undecidedId).equals(List.of("prepare", "abort")));
    assertFalse(Files.exists(Bomb.trace(WsatServer.store(directory.resolve("coordinator")))));
  }

  /** Commits a transaction, and halts the coordinator when the last participant votes. */
  private void commitUntilHalted(WsatClient.Transaction transaction) {
    CountDownLatch halted = new CountDownLatch(1);
    SECOND.beforePrepare(() -> {
      coordinator.close();
      halted.countDown();
    });
    CompletableFuture<Void> commit =
        CompletableFuture.runAsync(() -> assertThrows(IOException.class, transaction::commit), task -> new Thread(task).start());
    try {
      assertTrue(halted.await(1, TimeUnit.MINUTES), "the last participant is asked");
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
    commit.join();
  }

  /** Writes a record that Narayana would deserialise, as somebody can who writes to the directory. */
  private static void plant(Path store, String type, Uid id) throws Exception {
    OutputObjectState state = new OutputObjectState();
    assertTrue(PersistableParticipantHelper.save_state(state, new Bomb(store.toString())));
    PlantedRecord.write(store, type, id, state.buffer());
  }

  private static ObjectStoreEnvironmentBean settings(Path store) {
    ObjectStoreEnvironmentBean settings = new ObjectStoreEnvironmentBean();
    settings.setObjectStoreDir(store.toString());
    return settings;
  }

  @Test
  void theStoreNeitherWritesNorReadsASerializedObject() throws Exception {
    Path store = directory.resolve("planted");
    OutputObjectState state = new OutputObjectState();
    assertTrue(PersistableParticipantHelper.save_state(state, new Bomb(store.toString())));
    // Narayana itself would read it.
    PersistableParticipantHelper.restore_state(new InputObjectState(state));
    assertTrue(Files.deleteIfExists(Bomb.trace(store)), "the object was not deserialised");
    Uid id = new Uid();
    SerializationFreeStore guarded = new SerializationFreeStore(settings(store));
    ObjectStoreException refused = assertThrows(ObjectStoreException.class, () -> guarded.write_committed(id, "/test", state));
    assertTrue(refused.getMessage().contains("is not written"), refused.getMessage());
    plant(store, "/test", id);
    refused = assertThrows(ObjectStoreException.class, () -> new SerializationFreeStore(settings(store)).read_committed(id, "/test"));
    assertTrue(refused.getMessage().contains("is not read"), refused.getMessage());
  }

  @Test
  void endpointsHaveTheLimitsOfOurs() throws Exception {
    String endpoint = PARTICIPANT_URL + "/ws-t11-participant/ParticipantService";
    HttpResponse<String> answer = client.send(endpoint, "", "<!DOCTYPE a [<!ENTITY b 'c'>]><a>&b;</a>");
    assertEquals(400, answer.statusCode());
    assertTrue(answer.body().contains("DOCTYPE"), answer.body());
    answer = client.send(endpoint, "", "<a>".repeat(60) + "</a>".repeat(60));
    assertEquals(400, answer.statusCode());
    answer = client.send(endpoint, "", "<a>" + "b".repeat(30_000) + "</a>");
    assertEquals(413, answer.statusCode());
    String elsewhere = "<f:From xmlns:f='" + WsatClient.WSA + "'><f:Address>http://192.0.2.1/x</f:Address></f:From>";
    answer = client.post(endpoint, WsatClient.AT + "/Prepare", elsewhere, "<m:Prepare xmlns:m='" + WsatClient.AT + "'/>");
    assertEquals(400, answer.statusCode());
    assertTrue(answer.body().contains("understudy.wsat.hosts"), answer.body());
    // A draft of WS-Addressing, which CXF reads too: it would send the answer there.
    String draft = "http://schemas.xmlsoap.org/ws/2004/08/addressing";
    answer = client.create("<f:ReplyTo xmlns:f='" + draft + "'><f:Address>http://192.0.2.1/x</f:Address></f:ReplyTo>", "");
    assertEquals(400, answer.statusCode());
    assertTrue(answer.body().contains("understudy.wsat.hosts"), answer.body());
    HttpRequest get = HttpRequest.newBuilder(URI.create(endpoint + "?wsdl")).build();
    assertEquals(405, HttpClient.newHttpClient().send(get, HttpResponse.BodyHandlers.ofString()).statusCode());
    // A participant that is no coordinator.
    assertEquals(404, client.send(PARTICIPANT_URL + "/ws-c11/ActivationService", "", "<a/>").statusCode());
  }

  @Test
  void badMessagesAreLoggedInALineEachAtMostOnceAMinute() throws Exception {
    String soap = "<e:Envelope xmlns:e='http://schemas.xmlsoap.org/soap/envelope/'>";
    String[] messages = {
      "<a/>",
      soap + "<e:Body/></e:Envelope>",
      soap + "<e:Body><unknown/></e:Body></e:Envelope>",
      soap + "<e:Body><m:Prepare xmlns:m='" + WsatClient.AT + "'/></e:Body></e:Envelope>",
      soap + "<e:Header><h xmlns='urn:h' e:mustUnderstand='1'/></e:Header><e:Body/></e:Envelope>",
    };
    String endpoint = PARTICIPANT_URL + "/ws-t11-participant/ParticipantService";
    try (LogRecorder log = LogRecorder.of(Level.INFO, "")) {
      for (int round = 0; round < 10; round++) {
        for (String message : messages) {
          client.send(endpoint, "", message);
        }
      }
      assertTrue(log.records().size() <= 2 * messages.length, log.lines().toString());
      assertTrue(log.records().stream().allMatch(line -> line.getThrown() == null), log.lines().toString());
    }
  }

  @Test
  void aContextOfAnotherKindOrHostIsRefused() throws Exception {
    Element header = client.begin().context;
    Element address = (Element) header.getElementsByTagNameNS(WsatClient.WSA, "Address").item(0);
    address.setTextContent("http://192.0.2.1/ws-c11/RegistrationService");
    IllegalArgumentException refused = assertThrows(IllegalArgumentException.class, () -> coordination.contextOf(header));
    assertTrue(refused.getMessage().contains("understudy.wsat.hosts"), refused.getMessage());
    header.getElementsByTagNameNS(WsatClient.COOR, "CoordinationType").item(0).setTextContent("urn:other");
    refused = assertThrows(IllegalArgumentException.class, () -> coordination.contextOf(header));
    assertTrue(refused.getMessage().contains("urn:other"), refused.getMessage());
  }

  @Test
  void cxfDoesNotLogEachMessage() throws Exception {
    try (LogRecorder log = LogRecorder.of(Level.INFO, "org.apache.cxf")) {
      WsatClient.Transaction transaction = client.begin();
      join(transaction.context);
      assertTrue(transaction.commit().body().contains(">true</Result>"));
      Logger.getLogger(ReflectionServiceFactoryBean.class.getName()).info("Creating Service {urn:other}Other from WSDL");
      assertEquals(List.of("Creating Service {urn:other}Other from WSDL"), log.lines());
    }
  }

  @Test
  void anUnreachableCoordinatorIsLoggedInALineAtMostOnceAMinute() throws Exception {
    Element header = client.begin().context;
    Element address = (Element) header.getElementsByTagNameNS(WsatClient.WSA, "Address").item(0);
    address.setTextContent("http://127.0.0.1:" + FreePorts.next() + "/ws-c11/RegistrationService");
    TransactionContext context = coordination.contextOf(header);
    try (LogRecorder log = LogRecorder.of(Level.INFO, "org.apache.cxf", "org.understudy.wsat")) {
      for (int i = 0; i < 10; i++) {
        IOException refused = assertThrows(IOException.class, () -> coordination.register(context, List.of(1)));
        assertTrue(refused.getMessage().contains("cannot be reached"), refused.getMessage());
      }
      List<String> lines = log.lines();
      assertEquals(1, lines.stream().filter(line -> line.contains(address.getTextContent())).count(), lines.toString());
      assertTrue(log.records().stream().allMatch(line -> line.getThrown() == null), lines.toString());
    }
  }

  @Test
  void nobodyEndsATransactionByItsIdentifier() throws Exception {
    WsatClient.Transaction transaction = client.begin();
    String id = join(transaction.context);
    String counted = id.substring("urn:".length());
    assertEquals(500, transaction.end("Rollback", counted).statusCode());
    assertEquals(500, transaction.end("Commit", counted + "." + "0".repeat(32)).statusCode());
    assertEquals(List.of(), LEDGER.asked(id));
    assertTrue(transaction.commit().body().contains(">true</Result>"));
  }

  @Test
  void aTransactionHasALimitOfRegistrations() throws Exception {
    WsatClient.Transaction transaction = client.begin();
    for (int i = 1; i < Activities.MAX_REGISTERED; i++) {
      assertEquals(200, transaction.register().statusCode());
    }
    HttpResponse<String> refused = transaction.register();
    assertEquals(500, refused.statusCode());
    assertTrue(refused.body().contains("the maximum of this coordinator"), refused.body());
    assertEquals(200, transaction.rollback().statusCode());
  }

  @Test
  void aRegistrationWithALongEndpointReferenceIsRefused() throws Exception {
    WsatClient.Transaction transaction = client.begin();
    HttpResponse<String> refused = transaction.register("<p xmlns='urn:p'>" + "x".repeat(5_000) + "</p>");
    assertEquals(500, refused.statusCode());
    assertTrue(refused.body().contains("wscoor:InvalidParameters"), refused.body());
    assertTrue(refused.body().contains("longer than 4000 characters"), refused.body());
    HttpResponse<String> accepted = transaction.register("<p xmlns='urn:p'>" + "x".repeat(3_000) + "</p>");
    assertEquals(200, accepted.statusCode(), accepted.body());
    assertEquals(200, transaction.rollback().statusCode());
  }

  @Test
  void aTransactionInsideAnotherOneIsRefused() throws Exception {
    WsatClient.Transaction outer = client.begin();
    String current = StaxUtils.toString(outer.context).replaceFirst("^<\\?xml[^>]*>", "").replace("CoordinationContext", "CurrentContext");
    HttpResponse<String> answer = client.create("", current);
    assertEquals(500, answer.statusCode(), answer.body());
    assertTrue(answer.body().contains("wscoor:InvalidParameters"), answer.body());
  }

  @Test
  void twoWebApplicationsCannotHaveOneDirectory() {
    Path directoryInUse = WsatServer.store(directory.resolve("participant"));
    WsatSettings settings =
        new WsatSettings(false, directoryInUse, Set.of("127.0.0.1"), Duration.ofSeconds(1), Duration.ofSeconds(1), 1);
    TransactionService second =
        new TransactionService(settings, URI.create(PARTICIPANT_URL), 1, replica -> PARTICIPANT_URL, address -> false);
    ServletException refused = assertThrows(ServletException.class, second::start);
    assertTrue(refused.getMessage().contains("belongs to a running web application"), refused.getMessage());
    second.close();
  }

  @Test
  void aTransactionThatHasEndedCannotBeJoined() throws Exception {
    WsatClient.Transaction transaction = client.begin();
    TransactionContext context = coordination.contextOf(transaction.context);
    assertEquals(200, transaction.rollback().statusCode());
    IOException refused = assertThrows(IOException.class, () -> coordination.register(context, List.of(1)));
    assertTrue(refused.getMessage().contains("Begin it again"), refused.getMessage());
  }

  @AfterAll
  static void endsWithoutThreads() throws Exception {
    coordinator.close();
    participant.close();
    Condition.await("no thread remains", () -> remaining().isEmpty());
  }

  private static Set<String> remaining() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> !before.contains(thread) && thread.isAlive() && thread != Thread.currentThread())
        .map(Thread::getName)
        // Of this test's client and its processes, and of the JVM.
        .filter(name -> !name.startsWith("HttpClient-") && !name.startsWith("process reaper") && !name.startsWith("Keep-Alive-"))
        .collect(Collectors.toSet());
  }
}
