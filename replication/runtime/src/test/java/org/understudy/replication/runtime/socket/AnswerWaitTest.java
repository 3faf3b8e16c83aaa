package org.understudy.replication.runtime.socket;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.core.Message;
import org.understudy.replication.core.membership.MembershipMessage;
import org.understudy.replication.core.order.OrderMessage;
import org.understudy.replication.core.request.Request;
import org.understudy.replication.core.request.Response;
import org.understudy.replication.core.update.StateUpdate;
import org.understudy.replication.core.wire.WireVersions;
import org.understudy.replication.runtime.handshake.GroupDescription;
import org.understudy.replication.runtime.handshake.PeerTls;
import org.understudy.replication.runtime.peer.AnswerWait;
import org.understudy.test.Condition;
import org.understudy.test.network.FaultyProxy;
import org.understudy.test.network.FreePorts;

/** A thread of replica 1 waits for the acknowledgement of replica 2, over a real network. */
class AnswerWaitTest {
  private static final ReplicaId ONE = new ReplicaId(1);
  private static final ReplicaId TWO = new ReplicaId(2);
  private static final Map<ReplicaId, String> LIST = Map.of(ONE, "here:1", TWO, "there:2");
  private static final WireVersions OLDER = new WireVersions(1, WireVersions.ANSWERED_FRAMES - 1);
  private static final long LONG_NANOS = TimeUnit.SECONDS.toNanos(60);

  @TempDir Path directory;
  private final List<AutoCloseable> open = Collections.synchronizedList(new ArrayList<>());
  /** At replica 1: by which thread each acknowledgement, by index, was received. */
  private final Map<Long, Thread> acknowledged = new ConcurrentHashMap<>();
  private volatile CountDownLatch hold = new CountDownLatch(0);
  private volatile boolean longAnswers;
  /** At replica 1. */
  private volatile boolean broken;
  /** The threads whose acknowledgements failed. */
  private final Set<Thread> failed = ConcurrentHashMap.newKeySet();
  /** At replica 1. */
  private volatile boolean suspected;
  private InetSocketAddress first;
  private InetSocketAddress second;
  private SocketChannel sender;
  private long next;

  @BeforeEach
  void choosePorts() throws IOException {
    first = FreePorts.nextAddress();
    second = FreePorts.nextAddress();
  }

  @AfterEach
  void close() throws Exception {
    hold.countDown();
    for (AutoCloseable each : open) {
      each.close();
    }
  }

  @Test
  void waitingThreadReceivesTheAcknowledgementItself() throws Exception {
    connect(second, null, WireVersions.CURRENT);
    awaitOwnAnswers();
  }

  @Test
  void encryptedAnswersArriveToo() throws Exception {
    connect(second, OpenedChannel.tls(directory), WireVersions.CURRENT);
    awaitOwnAnswers();
  }

  @Test
  void oneThreadWaitsAtATime() throws Exception {
    connect(second, null, WireVersions.CURRENT);
    AnswerWait wait = sender.beginAnswerWait();
    assertNotNull(wait);
    assertNull(sender.beginAnswerWait(), "also for the same thread");
    assertFalse(wait.receive(() -> false, LONG_NANOS), "nothing has been asked");
    wait.end();
    wait = sender.beginAnswerWait();
    assertNotNull(wait);
    wait.end();
    sendUpdate();
    awaitAcknowledgement();
    assertFalse(acknowledged.get(next) == Thread.currentThread(), "without a wait, the channel's threads receive");
  }

  @Test
  void linkReceivesWhatComesAfterTheWait() throws Exception {
    connect(second, null, WireVersions.CURRENT);
    updateAndAwait();
    hold = new CountDownLatch(1);
    AnswerWait wait = sender.beginAnswerWait();
    sendUpdate();
    assertTrue(wait.receive(() -> false, TimeUnit.MILLISECONDS.toNanos(1)));
    wait.end();
    AnswerWait another = sender.beginAnswerWait();
    sender.send(TWO, List.of(update(next + 1)));
    assertFalse(another.receive(() -> false, LONG_NANOS), "one answer is owed, so none is asked for");
    another.end();
    hold.countDown();
    awaitAcknowledgement();
    assertEquals("understudy-to-2", acknowledged.get(next).getName());
    next++;
    awaitAcknowledgement();
    awaitOwnAnswers();
  }

  @Test
  void wakeUpEndsTheWait() throws Exception {
    connect(second, null, WireVersions.CURRENT);
    updateAndAwait();
    hold = new CountDownLatch(1);
    AnswerWait wait = sender.beginAnswerWait();
    sendUpdate();
    AtomicBoolean over = new AtomicBoolean();
    Thread waker = new Thread(() -> {
      // Long after the wait has begun, or before: both must end it.
      over.set(true);
      wait.wakeUp();
    });
    waker.start();
    long begin = System.nanoTime();
    while (!over.get()) {
      assertTrue(wait.receive(over::get, LONG_NANOS));
    }
    assertTrue(System.nanoTime() - begin < LONG_NANOS, "woken, not timed out");
    wait.end();
    waker.join();
  }

  @Test
  void brokenConnectionEndsTheWait() throws Exception {
    FaultyProxy proxy = new FaultyProxy(second);
    open.add(proxy);
    connect(proxy.address(), null, WireVersions.CURRENT);
    updateAndAwait();
    hold = new CountDownLatch(1);
    AnswerWait wait = sender.beginAnswerWait();
    sendUpdate();
    proxy.silence();
    Condition.await("the silent connection is replaced", () -> !wait.receive(() -> false, TimeUnit.MILLISECONDS.toNanos(1)));
    wait.end();
    hold.countDown();
    Condition.await("another connection", () -> updateAndAwaitOr(null) == Thread.currentThread());
  }

  /** The end of the process of an attended peer is noticed although the link's thread does not listen all the time. */
  @Test
  void endOfTheProcessIsNoticedBesideWaits() throws Exception {
    SocketChannel receiver = connect(second, null, WireVersions.CURRENT);
    updateAndAwait();
    suspected = false;
    receiver.close();
    Condition.await("the hint that the process is gone", () -> suspected);
    // A message that the process had sent before arrives after the hint, and cancels it.
    suspected = false;
    Condition.await("another hint while connections are refused", () -> suspected);
  }

  @Test
  void longAnswerTravelsOnTheOwnConnectionOfItsSender() throws Exception {
    connect(second, null, WireVersions.CURRENT);
    updateAndAwait();
    longAnswers = true;
    AnswerWait wait = sender.beginAnswerWait();
    sendUpdate();
    while (wait.receive(() -> false, LONG_NANOS)) {
      // The empty answer.
    }
    wait.end();
    awaitAcknowledgement();
    assertEquals("understudy-from-2", acknowledged.get(next).getName());
  }

  @Test
  void olderBuildIsNotAsked() throws Exception {
    connect(second, null, OLDER);
    AnswerWait wait = sender.beginAnswerWait();
    sendUpdate();
    assertFalse(wait.receive(() -> false, LONG_NANOS));
    wait.end();
    awaitAcknowledgement();
    assertEquals("understudy-from-2", acknowledged.get(next).getName());
  }

  @Test
  void answerBeforeTheEndOfItsConnectionCounts() throws Exception {
    lastAnswerCounts(null);
  }

  @Test
  void encryptedAnswerBeforeTheEndOfItsConnectionCounts() throws Exception {
    lastAnswerCounts(OpenedChannel.tls(directory));
  }

  private void lastAnswerCounts(PeerTls tls) throws Exception {
    CompletableFuture<Thread> serving = new CompletableFuture<>();
    channel(TWO, Map.of(ONE, first, TWO, second), tls, WireVersions.CURRENT, (messages, answers) -> {
      answers.accept(List.of(new OrderMessage.Ack(1, 1, false)));
      serving.complete(Thread.currentThread());
      throw new IllegalStateException("The process ends.");
    });
    Connection connection =
        Connection.dial(settings(ONE, Map.of(ONE, first, TWO, second), tls, WireVersions.CURRENT), TWO, Connection.Wire.REAL);
    open.add(connection);
    connection.send(new Frames().of(List.of(update(1))), true);
    serving.get().join();
    byte[] answer = connection.receive(System.nanoTime());
    assertNotNull(answer);
    assertEquals(List.of(new OrderMessage.Ack(1, 1, false)), OpenedChannel.format().readAll(answer, 0, answer.length));
    assertThrows(EOFException.class, () -> connection.receive(System.nanoTime()));
  }

  @Test
  void wakeUpFindsAConnectionToAnOlderBuild() throws Exception {
    SocketChannel receiver = connect(second, null, WireVersions.CURRENT);
    updateAndAwait();
    AnswerWait wait = sender.beginAnswerWait();
    CountDownLatch asked = new CountDownLatch(1);
    hold = asked;
    sendUpdate();
    assertTrue(wait.receive(() -> {
      asked.countDown();
      receiver.close();
      AtomicReference<SocketChannel> older = new AtomicReference<>();
      older.set(channel(TWO, Map.of(ONE, first, TWO, second), null, OLDER, (messages, answers) -> answer(older.get(), messages, answers)));
      awaitAnyAcknowledgement();
      wait.wakeUp();
      return true;
    }, LONG_NANOS));
    wait.end();
  }

  @Test
  void brokenReceiverDoesNotBreakTheRequestOfTheThreadThatWaits() throws Exception {
    connect(second, null, WireVersions.CURRENT);
    updateAndAwait();
    broken = true;
    Condition.await("an answer to this thread", () -> {
      updateAndAwaitOr(null);
      return failed.contains(Thread.currentThread());
    });
    broken = false;
    awaitAnyAcknowledgement();
    awaitOwnAnswers();
  }

  // ---- the parts

  /** The first answers may find the link's thread, which leaves the connection to threads that wait when one does. */
  private void awaitOwnAnswers() {
    int[] own = new int[1];
    Condition.await("twenty acknowledgements, received by the thread that waits", () -> {
      own[0] += updateAndAwait() == Thread.currentThread() ? 1 : 0;
      return own[0] == 20;
    });
  }

  private Thread updateAndAwait() {
    return updateAndAwaitOr(Thread.currentThread());
  }

  /** Sends one update and waits as a container's thread does. Returns who has received the acknowledgement. */
  private Thread updateAndAwaitOr(Thread expected) {
    AnswerWait wait = sender.beginAnswerWait();
    sendUpdate();
    long index = next;
    while (!acknowledged.containsKey(index) && wait.receive(() -> acknowledged.containsKey(index), LONG_NANOS)) {
      // Something else has arrived.
    }
    wait.end();
    if (expected != null) {
      awaitAcknowledgement();
    }
    return acknowledged.get(index);
  }

  private void sendUpdate() {
    next++;
    sender.send(TWO, List.of(update(next)));
  }

  private void awaitAcknowledgement() {
    Condition.await("acknowledgement " + next, () -> acknowledged.containsKey(next));
  }

  private static Message update(long index) {
    return new OrderMessage.Update(
        1, 0, new StateUpdate(index, Request.Kind.UPDATE, null, 0, 0, "", new Response((byte) 0, new byte[100]), List.of()));
  }

  /** Opens both replicas, and returns when both are connected. */
  private SocketChannel connect(InetSocketAddress to, PeerTls tls, WireVersions receivers) throws Exception {
    SocketChannel[] two = new SocketChannel[1];
    two[0] = channel(TWO, Map.of(ONE, first, TWO, second), tls, receivers, (messages, answers) -> answer(two[0], messages, answers));
    sender = channel(ONE, Map.of(ONE, first, TWO, to), tls, WireVersions.CURRENT, (messages, answers) -> acknowledge(messages));
    awaitAnyAcknowledgement();
    awaitAcknowledgement();
    return two[0];
  }

  /** Repeats updates, which are lost while there is no connection. */
  private void awaitAnyAcknowledgement() {
    long before = next;
    Condition.await("an acknowledgement over both connections", () -> {
      sendUpdate();
      return acknowledged.keySet().stream().anyMatch(index -> index > before);
    });
  }

  private void answer(SocketChannel own, List<Message> messages, Consumer<List<Message>> answers) {
    for (Message message : messages) {
      if (message instanceof OrderMessage.Update update) {
        try {
          hold.await();
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
        }
        List<Message> acknowledgement = new ArrayList<>(List.of(new OrderMessage.Ack(1, update.update().index(), false)));
        if (longAnswers) {
          acknowledgement.addAll(Collections.nCopies(100, new MembershipMessage.Nack(77)));
        }
        if (answers == null) {
          own.send(ONE, acknowledgement);
        } else {
          answers.accept(acknowledgement);
        }
      }
    }
  }

  private void acknowledge(List<Message> messages) {
    if (broken) {
      failed.add(Thread.currentThread());
      throw new IllegalStateException("The receiver is broken.");
    }
    for (Message message : messages) {
      if (message instanceof OrderMessage.Ack ack) {
        acknowledged.put(ack.received(), Thread.currentThread());
      }
    }
  }

  private static SocketSettings settings(
      ReplicaId self, Map<ReplicaId, InetSocketAddress> addresses, PeerTls tls, WireVersions wire) {
    GroupDescription group = new GroupDescription("g", "primary-backup", wire, Map.of(), LIST, null);
    return OpenedChannel.settings(self, addresses, group, "the secret of a group", tls);
  }

  private SocketChannel channel(
      ReplicaId self, Map<ReplicaId, InetSocketAddress> addresses, PeerTls tls, WireVersions wire, OpenedChannel.Reaction reaction) {
    try {
      SocketChannel channel = OpenedChannel.of(settings(self, addresses, tls, wire), reaction, () -> suspected = true);
      open.add(channel);
      return channel;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
