package org.understudy.replication.runtime.inbound;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Level;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.runtime.handshake.PeerTls;
import org.understudy.test.Condition;
import org.understudy.test.LogRecorder;
import org.understudy.test.network.SelfSigned;

class PeerServerTest {
  private static final ReplicaId TWO = new ReplicaId(2);
  private static final long LONG = TimeUnit.HOURS.toNanos(1);

  private final List<AutoCloseable> open = new ArrayList<>();
  private ServerSocket listening;

  @BeforeEach
  void listen() throws IOException {
    listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
  }

  @AfterEach
  void close() throws Exception {
    for (AutoCloseable each : open) {
      each.close();
    }
    listening.close();
  }

  /** Authenticates each connection by its first byte, and keeps reading. */
  private static void serve(PeerConnection connection) throws IOException {
    connection.socket().getInputStream().read();
    connection.prove(TWO);
    while (connection.socket().getInputStream().read() >= 0) {
      connection.received();
    }
  }

  private PeerServer server(PeerServer.Door door, long silenceNanos) {
    PeerServer server = PeerServer.start(door, new Strangers(Map.of()), null, silenceNanos, PeerServerTest::serve);
    open.add(server);
    return server;
  }

  /** What happens before a connection is accepted. */
  private interface Knock {
    void run() throws IOException;
  }

  private PeerServer.Door door() {
    return door(() -> {});
  }

  private PeerServer.Door door(Knock before) {
    return new PeerServer.Door() {
      @Override
      public Socket accept() throws IOException {
        before.run();
        return listening.accept();
      }

      @Override
      public void close() throws IOException {
        listening.close();
      }
    };
  }

  private Socket connect() throws IOException {
    Socket socket = new Socket(listening.getInetAddress(), listening.getLocalPort());
    open.add(socket);
    return socket;
  }

  @Test
  void peersNewConnectionReplacesItsOldOne() throws Exception {
    PeerServer server = server(door(), LONG);
    Socket first = connect();
    first.getOutputStream().write(1);
    Condition.await("a receiving thread", () -> threads() == 1);
    Socket second = connect();
    Condition.await("two connections", () -> server.connections() == 2);
    assertEquals(1, threads(), "an unproven one replaces nothing");
    second.getOutputStream().write(1);
    assertEquals(-1, first.getInputStream().read());
    Condition.await("one connection", () -> server.connections() == 1 && threads() == 1);
  }

  @Test
  void connectionWhoseHandlerFailsIsClosedAndLogged() throws Exception {
    AtomicInteger failures = new AtomicInteger(1);
    PeerServer server =
        PeerServer.start(door(), new Strangers(Map.of()), null, LONG, connection -> {
          connection.socket().getInputStream().read();
          connection.prove(TWO);
          if (failures.getAndDecrement() > 0) {
            throw new NoClassDefFoundError("for the test");
          }
          connection.socket().getOutputStream().write(7);
          connection.socket().getInputStream().read();
        });
    open.add(server);
    try (LogRecorder log = LogRecorder.of(PeerServer.class)) {
      Socket first = connect();
      first.getOutputStream().write(1);
      assertEquals(-1, first.getInputStream().read());
      Condition.await("the connection's end", () -> server.connections() == 0);
      assertEquals(1, log.lines().size());
      assertTrue(log.lines().get(0).endsWith("failed and is closed; the peer opens another one."), log.lines().get(0));
    }
    Socket second = connect();
    second.getOutputStream().write(1);
    assertEquals(7, second.getInputStream().read());
  }

  @Test
  void silentConnectionsAreClosed() throws Exception {
    PeerServer server = server(door(), TimeUnit.MILLISECONDS.toNanos(300));
    Socket peer = connect();
    peer.getOutputStream().write(1);
    assertEquals(-1, peer.getInputStream().read());
    Socket stranger = connect();
    assertEquals(-1, stranger.getInputStream().read());
    Condition.await("no connection", () -> server.connections() == 0);
  }

  @Test
  void acceptingPausesWhileNoFileDescriptorIsFree() throws Exception {
    AtomicInteger attempts = new AtomicInteger();
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(1);
    PeerServer server =
        server(
            door(() -> {
              if (System.nanoTime() < end) {
                attempts.incrementAndGet();
                throw new IOException("Too many open files");
              }
            }),
            LONG);
    Socket peer = connect();
    peer.getOutputStream().write(1);
    Condition.await("a receiving thread", () -> threads() == 1);
    assertTrue(attempts.get() < 100, attempts + " attempts in a second");
    assertEquals(1, server.connections());
  }

  /** Without file descriptors no class can be loaded, for example. */
  @Test
  void acceptingSurvivesAnError() throws Exception {
    AtomicInteger errors = new AtomicInteger(1);
    server(
        door(() -> {
          if (errors.getAndDecrement() > 0) {
            throw new NoClassDefFoundError("for the test");
          }
        }),
        LONG);
    Socket peer = connect();
    peer.getOutputStream().write(1);
    Condition.await("a receiving thread", () -> threads() == 1);
  }

  @Test
  void aConnectionThatCannotBeAdmittedIsClosed() throws Exception {
    Strangers strangers = new Strangers(Map.of());
    for (int i = 0; i < Strangers.MAX_OF_ADDRESS; i++) {
      strangers.admit(from(listening.getInetAddress(), () -> {
        throw new IllegalStateException("for the test");
      }));
    }
    PeerServer server = PeerServer.start(door(), strangers, null, LONG, PeerServerTest::serve);
    open.add(server);
    Socket peer = connect();
    peer.setSoTimeout(30_000);
    assertEquals(-1, peer.getInputStream().read());
    assertEquals(0, server.connections());
  }

  /** Begins a TLS handshake and ends it: with a reset, or with the end of the stream. Returns what the server logs. */
  private List<String> logOfCutHandshake(Map<InetAddress, Integer> configured, boolean reset, Path directory) throws Exception {
    SelfSigned certificate = SelfSigned.of(directory, "ip:127.0.0.1");
    PeerTls tls = PeerTls.of(certificate.store(), SelfSigned.PASSWORD, certificate.store(), SelfSigned.PASSWORD);
    try (LogRecorder log = LogRecorder.of(Level.WARNING, PeerServer.class.getName());
        PeerServer server = PeerServer.start(door(), new Strangers(configured), tls, LONG, PeerServerTest::serve)) {
      Socket peer = connect();
      // The header of a record, and the first byte of a ClientHello of 256.
      peer.getOutputStream().write(new byte[] {22, 3, 1, 1, 0, 1});
      Condition.await("the connection", () -> server.connections() == 1);
      if (reset) {
        peer.setSoLinger(true, 0);
      }
      peer.close();
      Condition.await("no connection", () -> server.connections() == 0);
      return log.lines();
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aHandshakeOfTlsThatIsCutSaysNothingAboutKeyStores(boolean reset, @TempDir Path directory) throws Exception {
    List<String> lines = logOfCutHandshake(Map.of(), reset, directory);
    assertEquals(1, lines.size());
    assertTrue(lines.get(0).contains(" to the peer address is refused: "), lines.get(0));
    assertFalse(lines.get(0).contains("key store"), lines.get(0));
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aReplicaThatStopsDuringItsHandshakeOfTlsIsNotReported(boolean reset, @TempDir Path directory) throws Exception {
    assertEquals(List.of(), logOfCutHandshake(Map.of(listening.getInetAddress(), 1), reset, directory));
  }

  @Test
  void unauthenticatedConnectionsDisplaceTheOldestOfTheirShare() throws Exception {
    InetAddress replica = InetAddress.getByName("10.0.0.2");
    Strangers strangers = new Strangers(Map.of(replica, 1));
    PeerConnection first = from(replica);
    first.recognise();
    assertEquals(null, strangers.admit(first));
    PeerConnection second = from(replica);
    assertEquals(null, strangers.admit(second));
    for (int i = 2; i < Strangers.MAX_OF_ADDRESS + Strangers.MAX_OF_REPLICA; i++) {
      assertEquals(null, strangers.admit(from(replica)));
    }
    for (int host = 10; host < 200; host++) {
      PeerConnection displaced = strangers.admit(from(InetAddress.getByName("10.0.1." + host)));
      assertTrue(displaced == null || !displaced.address().equals(replica), "strangers displace strangers");
    }
    assertEquals(second, strangers.admit(from(replica)));
  }

  private static PeerConnection from(InetAddress address) {
    return from(address, () -> {});
  }

  private static PeerConnection from(InetAddress address, Runnable closing) {
    return new PeerConnection(
        null,
        new Socket() {
          @Override
          public InetAddress getInetAddress() {
            return address;
          }

          @Override
          public synchronized void close() throws IOException {
            closing.run();
            super.close();
          }
        });
  }

  private static long threads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().equals("understudy-from-2"))
        .count();
  }

  @Test
  void addressThatCannotBeOpenedIsNamedWithTheReason() {
    InetSocketAddress unknown = InetSocketAddress.createUnresolved("name with spaces", 7801);
    assertEquals(
        "The peer address name with spaces/<unresolved>:7801 of this replica cannot be opened (The host name with spaces is unknown.). "
            + "Check that the address is one of this machine, and that no other process uses the port.",
        refusal(unknown));
    InetSocketAddress used = (InetSocketAddress) listening.getLocalSocketAddress();
    assertTrue(refusal(used).startsWith("The peer address " + used + " of this replica cannot be opened ("), refusal(used));
  }

  private static String refusal(InetSocketAddress address) {
    return assertThrows(
        IOException.class, () -> PeerServer.open(address, List.of(), null, Duration.ofSeconds(1), PeerServerTest::serve)).getMessage();
  }
}
