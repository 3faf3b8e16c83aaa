package org.understudy.replication.runtime.socket;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.api.SessionId;
import org.understudy.replication.api.View;
import org.understudy.replication.core.Message;
import org.understudy.replication.core.membership.MembershipMessage;
import org.understudy.replication.core.order.OrderMessage;
import org.understudy.replication.core.request.Request;
import org.understudy.replication.core.request.RequestKey;
import org.understudy.replication.core.request.Response;
import org.understudy.replication.core.update.StateChange;
import org.understudy.replication.core.update.StateUpdate;
import org.understudy.replication.runtime.handshake.GroupDescription;
import org.understudy.replication.runtime.handshake.PeerTls;
import org.understudy.test.Condition;
import org.understudy.test.LogRecorder;
import org.understudy.test.network.FaultyProxy;
import org.understudy.test.network.FreePorts;

/** Replica 1 sends to replica 2 over a network that a test controls. */
class SocketChannelTest {
  private static final ReplicaId ONE = new ReplicaId(1);
  private static final ReplicaId TWO = new ReplicaId(2);
  private static final Map<ReplicaId, String> LIST = Map.of(ONE, "here:1", TWO, "there:2");

  @TempDir Path directory;
  private final List<AutoCloseable> open = new ArrayList<>();
  private final List<Message> received = new CopyOnWriteArrayList<>();
  private volatile boolean reading = true;
  private final AtomicInteger errors = new AtomicInteger();
  private InetSocketAddress first;
  private InetSocketAddress second;
  private long next;

  @BeforeEach
  void choosePorts() throws IOException {
    first = FreePorts.nextAddress();
    second = FreePorts.nextAddress();
  }

  @AfterEach
  void close() throws Exception {
    for (AutoCloseable each : open) {
      each.close();
    }
  }

  @Test
  void silentConnectionIsReplaced() throws Exception {
    receiver(LIST, null);
    FaultyProxy proxy = proxy();
    SocketChannel sender = sender(proxy.address(), LIST, "the secret of a group", null);
    awaitDelivery(sender);
    proxy.silence();
    // Messages in flight, so that data is lost and not only pings.
    Condition.await("another connection", () -> {
      sender.send(TWO, List.of(new OrderMessage.Ack(1, ++next, false)));
      return proxy.connections() >= 2;
    });
    awaitDelivery(sender);
    Condition.await("one thread a peer", () -> threads("understudy-from-1") == 1);
  }

  @Test
  void silentIdleConnectionIsReplaced() throws Exception {
    receiver(LIST, null);
    FaultyProxy proxy = proxy();
    SocketChannel sender = sender(proxy.address(), LIST, "the secret of a group", null);
    awaitDelivery(sender);
    proxy.silence();
    Condition.await("another connection", () -> proxy.connections() >= 2);
    awaitDelivery(sender);
  }

  /** A name can resolve differently than when the replica was started, and to several addresses. */
  @Test
  void theLogNamesTheAddressThatIsConnected() throws Exception {
    receiver(LIST, null);
    InetAddress earlier = InetAddress.getByAddress("127.0.0.1", new byte[] {127, 0, 0, 99});
    try (LogRecorder log = LogRecorder.of(OutgoingLink.class)) {
      awaitDelivery(sender(new InetSocketAddress(earlier, second.getPort()), LIST, "the secret of a group", null));
      assertEquals(List.of("Connected to replica 2 at /127.0.0.1:" + second.getPort() + "."), log.lines());
    }
  }

  private static Message update(long index, byte[] body) {
    return new OrderMessage.Update(
        1, 0, new StateUpdate(index, Request.Kind.UPDATE, null, 0, 0, "", new Response((byte) 0, body), List.of()));
  }

  /** Sent bytes cannot be overtaken; queued messages can. */
  @Test
  void heartbeatsOvertakeUpdatesForASlowPeer() throws Exception {
    receiver(LIST, null);
    SocketChannel sender = sender(second, LIST, "the secret of a group", null);
    awaitDelivery(sender);
    reading = false;
    View view = new View(1, List.of(ONE, TWO));
    int updates = 400;
    for (int index = 1; index <= updates; index++) {
      sender.send(TWO, List.of(update(index, new byte[64 << 10])));
    }
    sender.send(TWO, List.of(new MembershipMessage.Heartbeat(view, view, 7, updates, 0, true)));
    received.clear();
    reading = true;
    Condition.await("the last update", () -> received.stream().anyMatch(
        message -> message instanceof OrderMessage.Update last && last.update().index() == updates));
    List<Message> all = received.stream().filter(message -> !(message instanceof OrderMessage.Ack)).toList();
    assertEquals(updates + 1, all.size());
    long before = 0;
    for (Message message : all) {
      if (message instanceof MembershipMessage.Heartbeat beat) {
        assertTrue(before < updates, "the heartbeat comes last");
        assertEquals(before, beat.end(), "the last update sent before it");
      } else {
        before = ((OrderMessage.Update) message).update().index();
      }
    }
  }

  @Test
  void alteredFramesAreNotDelivered() throws Exception {
    receiver(LIST, null);
    FaultyProxy proxy = proxy();
    SocketChannel sender = sender(proxy.address(), LIST, "the secret of a group", null);
    awaitDelivery(sender);
    proxy.alter(true);
    // Each is refused, the connection ends, and the next one's handshake is refused as well.
    Condition.await("the connection ends", () -> {
      sender.send(TWO, List.of(new MembershipMessage.Nack(77)));
      return proxy.connections() > 2;
    });
    proxy.alter(false);
    awaitDelivery(sender);
    received.stream()
        .filter(message -> !(message instanceof OrderMessage.Ack))
        .forEach(message -> assertEquals(new MembershipMessage.Nack(77), message));
  }

  /** Without file descriptors no class can be loaded, for example. */
  @Test
  void linkSurvivesAnError() throws Exception {
    errors.set(1);
    SocketChannel sender = sender(second, LIST, "the secret of a group", null);
    Condition.await("the error", () -> errors.get() <= 0);
    receiver(LIST, null);
    awaitDelivery(sender);
  }

  @Test
  void replayedConnectionIsRefused() throws Exception {
    receiver(LIST, null);
    FaultyProxy proxy = proxy();
    SocketChannel sender = sender(proxy.address(), LIST, "the secret of a group", null);
    awaitDelivery(sender);
    byte[] recorded = proxy.recorded();
    sender.close();
    Condition.await("the receiver has seen its end", () -> threads("understudy-from-1") == 0);
    int before = received.size();
    try (Socket replay = new Socket(second.getAddress(), second.getPort())) {
      replay.getOutputStream().write(recorded);
      assertEnds(replay);
    }
    assertEquals(before, received.size());
  }

  @Test
  void slowUnauthenticatedConnectionsDoNotBlockPeers() throws Exception {
    receiver(LIST, null);
    List<Socket> strangers = new ArrayList<>();
    for (int i = 0; i < 120; i++) {
      Socket stranger = new Socket(second.getAddress(), second.getPort());
      strangers.add(stranger);
      open.add(stranger);
    }
    Thread dripping = new Thread(() -> {
      while (!Thread.currentThread().isInterrupted()) {
        strangers.forEach(SocketChannelTest::drip);
        LockSupport.parkNanos(50_000_000);
      }
    });
    dripping.start();
    open.add(() -> {
      dripping.interrupt();
      dripping.join();
    });
    SocketChannel sender = sender(second, LIST, "the secret of a group", null);
    awaitDelivery(sender);
    for (Socket stranger : strangers) {
      assertEnds(stranger);
    }
  }

  @Test
  void wrongSecretOrDifferentListsAreRefused() throws Exception {
    receiver(LIST, null);
    SocketChannel thief = sender(second, LIST, "another secret", null);
    assertNothingComes(thief);
    thief.close();
    SocketChannel alone = sender(second, Map.of(ONE, "here:1"), "the secret of a group", null);
    assertNothingComes(alone);
    alone.close();
    SocketChannel elsewhere = sender(second, Map.of(ONE, "here:1", TWO, "elsewhere:2"), "the secret of a group", null);
    assertNothingComes(elsewhere);
    elsewhere.close();
    awaitDelivery(sender(second, LIST, "the secret of a group", null));
  }

  @Test
  void tlsConnectionsCarryFramesOfAllSizes() throws Exception {
    PeerTls tls = OpenedChannel.tls(directory);
    receiver(LIST, tls);
    FaultyProxy proxy = proxy();
    SocketChannel sender = sender(proxy.address(), LIST, "the secret of a group", tls);
    awaitDelivery(sender);
    for (int bytes : new int[] {10, 20_000, 3_000_000}) {
      StateUpdate update =
          new StateUpdate(1, Request.Kind.UPDATE, new RequestKey.OfSession(new SessionId(1, 2), 3), 4, 0, "",
              new Response((byte) 1, new byte[0]), List.of(new StateChange("a", new byte[bytes])));
      sender.send(TWO, List.of(new OrderMessage.Update(1, 0, update)));
      Condition.await(bytes + " bytes", () -> received.stream().anyMatch(message -> message instanceof OrderMessage.Update it
          && it.update().changes().get(0).state().length == bytes));
    }
    String sent = new String(proxy.recorded(), StandardCharsets.ISO_8859_1);
    assertTrue(!sent.contains("here:1"), "the wire shows nothing");
    proxy.silence();
    Condition.await("another connection", () -> proxy.connections() >= 2);
    awaitDelivery(sender);
  }

  @Test
  void tlsRefusesPlainAndUntrustedConnections() throws Exception {
    receiver(LIST, OpenedChannel.tls(directory.resolve("a")));
    SocketChannel plain = sender(second, LIST, "the secret of a group", null);
    assertNothingComes(plain);
    plain.close();
    assertNothingComes(sender(second, LIST, "the secret of a group", OpenedChannel.tls(directory.resolve("b"))));
  }

  // ---- the parts

  private static void drip(Socket stranger) {
    try {
      stranger.getOutputStream().write(0);
    } catch (IOException e) {
      // Refused by now.
    }
  }

  private static void assertEnds(Socket socket) throws IOException {
    socket.setSoTimeout(30_000);
    try {
      while (socket.getInputStream().read() >= 0) {
        // The answer to an unauthenticated connection.
      }
    } catch (java.net.SocketTimeoutException e) {
      throw new AssertionError("The connection is still open.", e);
    } catch (IOException e) {
      // Reset: counts as an end.
    }
  }

  /** Sends until the receiver refuses or is refused: at least four attempts. */
  private void assertNothingComes(SocketChannel sender) throws Exception {
    int before = received.size();
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(300);
    Condition.await("300 ms", () -> {
      sender.send(TWO, List.of(new OrderMessage.Ack(1, ++next, false)));
      return System.nanoTime() > end;
    });
    assertEquals(before, received.size());
  }

  private void awaitDelivery(SocketChannel sender) throws Exception {
    int before = received.size();
    Condition.await("a message", () -> {
      sender.send(TWO, List.of(new OrderMessage.Ack(1, ++next, false)));
      return received.size() > before;
    });
  }

  private FaultyProxy proxy() throws IOException {
    FaultyProxy proxy = new FaultyProxy(second);
    open.add(proxy);
    return proxy;
  }

  private void receiver(Map<ReplicaId, String> list, PeerTls tls) throws IOException {
    // Replica 1 cannot be reached from there: one direction is sufficient.
    channel(TWO, Map.of(ONE, first, TWO, second), list, "the secret of a group", tls);
  }

  private SocketChannel sender(InetSocketAddress to, Map<ReplicaId, String> list, String secret, PeerTls tls)
      throws IOException {
    return channel(ONE, Map.of(ONE, FreePorts.nextAddress(), TWO, to), list, secret, tls);
  }

  private SocketChannel channel(
      ReplicaId self, Map<ReplicaId, InetSocketAddress> addresses, Map<ReplicaId, String> list, String secret, PeerTls tls)
      throws IOException {
    SocketChannel channel =
        OpenedChannel.of(
            OpenedChannel.settings(self, addresses, new GroupDescription("g", "primary-backup", Map.of(), list), secret, tls),
            (messages, answers) -> {
              Condition.await("the receiver goes on", () -> reading);
              received.addAll(messages);
            },
            () -> {
              if (errors.getAndDecrement() > 0) {
                throw new NoClassDefFoundError("for the test");
              }
            });
    open.add(channel);
    return channel;
  }

  private static long threads(String name) {
    return Thread.getAllStackTraces().keySet().stream().filter(thread -> thread.getName().equals(name)).count();
  }
}
