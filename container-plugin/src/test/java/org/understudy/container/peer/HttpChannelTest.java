package org.understudy.container.peer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.understudy.test.Condition.await;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.understudy.container.configuration.Configuration;
import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.core.Message;
import org.understudy.replication.core.membership.MembershipMessage;
import org.understudy.replication.core.order.OrderMessage;
import org.understudy.replication.core.primarybackup.PrimaryBackup;
import org.understudy.replication.core.wire.WireVersions;
import org.understudy.replication.runtime.codec.MessageFormat;
import org.understudy.replication.runtime.peer.PeerChannel;
import org.understudy.replication.runtime.peer.PeerReceiver;
import org.understudy.test.network.FaultyProxy;
import org.understudy.test.network.FreePorts;
import org.understudy.test.network.SelfSigned;

/** Replica 1 sends to replica 2 over a network that a test controls. */
class HttpChannelTest {
  private static final ReplicaId TWO = new ReplicaId(2);

  @TempDir Path directory;
  private final List<AutoCloseable> open = new ArrayList<>();
  private final List<Message> received = new CopyOnWriteArrayList<>();
  private final List<Message> answered = new CopyOnWriteArrayList<>();
  private final AtomicInteger hints = new AtomicInteger();
  private InetSocketAddress first;
  private InetSocketAddress second;
  private FaultyProxy proxy;
  private final Map<String, String> more = new HashMap<>();
  private long next;
  /** Threads of clusters that other tests share. */
  private long others;

  @BeforeEach
  void choosePorts() throws IOException {
    others = threads("understudy-from-1");
    first = FreePorts.nextAddress();
    second = FreePorts.nextAddress();
    proxy = new FaultyProxy(second);
    open.add(proxy);
  }

  @AfterEach
  void close() throws Exception {
    for (AutoCloseable each : open) {
      each.close();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"call", "notification"})
  void connectionThatFallsSilentIsReplaced(String transfer) throws Exception {
    receiver(transfer);
    PeerChannel sender = sender(transfer, "understudy.group", "g");
    awaitDelivery(sender);
    proxy.silence();
    await(() -> proxy.connections() >= 2);
    awaitDelivery(sender);
    await(() -> threads("understudy-from-1") == others + 1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"call", "notification"})
  void encryptedConnectionsCarryMessages(String transfer) throws Exception {
    String store = SelfSigned.of(directory, "ip:127.0.0.1").store().toString();
    more.put("understudy.peer.key.store", store);
    more.put("understudy.peer.key.store.password", new String(SelfSigned.PASSWORD));
    more.put("understudy.peer.trust.store", store);
    more.put("understudy.peer.trust.store.password", new String(SelfSigned.PASSWORD));
    receiver(transfer);
    PeerChannel sender = sender(transfer, "understudy.group", "g");
    awaitDelivery(sender);
    String sent = new String(proxy.recorded(), StandardCharsets.ISO_8859_1);
    assertFalse(sent.contains("POST"), "the wire shows nothing");
    proxy.silence();
    await(() -> proxy.connections() >= 2);
    awaitDelivery(sender);
  }

  /** A message that the process had sent before arrives after the first hint, and cancels it. */
  @ParameterizedTest
  @ValueSource(strings = {"call", "notification"})
  void refusedConnectionsAreReportedAsLongAsTheyLast(String transfer) throws Exception {
    receiver(transfer);
    awaitDelivery(sender(transfer, "understudy.group", "g"));
    int before = hints.get();
    proxy.close();
    await(() -> hints.get() > before + 1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"call", "notification"})
  void idleConnectionIsKept(String transfer) throws Exception {
    more.put("understudy.suspect.ms", "2000");
    receiver(transfer);
    PeerChannel sender = sender(transfer, "understudy.group", "g");
    awaitDelivery(sender);
    int carried = proxy.recorded().length;
    // A ping is some 100 bytes.
    await(() -> proxy.recorded().length > carried + 300);
    assertEquals(1, proxy.connections());
    awaitDelivery(sender);
  }

  @ParameterizedTest
  @ValueSource(strings = {"call", "notification"})
  void alteredAndReplayedMessagesAreRefused(String transfer) throws Exception {
    receiver(transfer);
    PeerChannel sender = sender(transfer, "understudy.group", "g");
    awaitDelivery(sender);
    byte[] recorded = proxy.recorded();
    try (Socket replay = new Socket(second.getAddress(), second.getPort())) {
      replay.getOutputStream().write(recorded);
      replay.setSoTimeout(30_000);
      while (replay.getInputStream().read() >= 0) {
        // What it is answered.
      }
    } catch (SocketTimeoutException e) {
      throw new AssertionError("The connection is still open.", e);
    } catch (IOException e) {
      // Reset: as good as an end.
    }
    proxy.alter(true);
    await(() -> {
      sender.send(TWO, List.of(new MembershipMessage.Nack(77)));
      return proxy.connections() > 2;
    });
    proxy.alter(false);
    awaitDelivery(sender);
    List<Message> acks = received.stream().filter(message -> message instanceof OrderMessage.Ack).toList();
    assertEquals(acks.size(), acks.stream().distinct().count(), "nothing comes twice");
    received.stream()
        .filter(message -> !(message instanceof OrderMessage.Ack))
        .forEach(message -> assertEquals(new MembershipMessage.Nack(77), message));
  }

  @ParameterizedTest
  @ValueSource(strings = {"call", "notification"})
  void differentConfigurationIsRefused(String transfer) throws Exception {
    receiver(transfer);
    assertNothingComes(sender(transfer, "understudy.group", "another"));
    assertNothingComes(sender(transfer, "understudy.secret", "another secret of 16"));
    assertNothingComes(sender(transfer, "understudy.replicas", "1=http://a:1/c,2=http://b:1/wrong"));
    awaitDelivery(sender(transfer, "understudy.group", "g"));
  }

  private void assertNothingComes(PeerChannel sender) {
    int before = received.size();
    int connections = proxy.connections();
    await(() -> {
      sender.send(TWO, List.of(new OrderMessage.Ack(1, ++next, false)));
      return proxy.connections() > connections + 4;
    });
    assertEquals(before, received.size());
    sender.close();
  }

  private void awaitDelivery(PeerChannel sender) {
    int before = received.size();
    int answers = answered.size();
    await(() -> {
      sender.send(TWO, List.of(new OrderMessage.Ack(1, ++next, false)));
      return received.size() > before && answered.size() > answers;
    });
    assertTrue(answered.get(answered.size() - 1) instanceof OrderMessage.Ack);
  }

  private void receiver(String transfer) throws Exception {
    channel(properties(2, transfer));
  }

  private PeerChannel sender(String transfer, String key, String value) throws Exception {
    Properties properties = properties(1, transfer);
    properties.setProperty(key, value);
    return channel(properties);
  }

  private Properties properties(int replica, String transfer) {
    Properties properties = new Properties();
    properties.setProperty("understudy.group", "g");
    properties.setProperty("understudy.replica", Integer.toString(replica));
    properties.setProperty("understudy.replicas", "1=http://a:1/c,2=http://b:1/c");
    properties.setProperty("understudy.transfer", transfer);
    properties.setProperty("understudy.peers", "1=127.0.0.1:" + first.getPort() + ",2=127.0.0.1:" + second.getPort());
    properties.setProperty("understudy.secret", "sixteen characters");
    properties.setProperty("understudy.directory", "/none");
    properties.setProperty("understudy.suspect.ms", "300");
    properties.putAll(more);
    return properties;
  }

  private PeerChannel channel(Properties properties) throws Exception {
    Configuration configuration = Configuration.of(properties);
    ReplicaId self = configuration.self();
    PeerChannel channel =
        configuration.transfer().equals("call")
            ? new CallChannel(configuration, configuration.credentials(List::of), this::route)
            : new NotificationChannel(configuration, configuration.credentials(List::of), this::route);
    open.add(channel);
    channel.open(
        new PeerReceiver() {
          @Override
          public MessageFormat format() {
            return new MessageFormat(new PrimaryBackup().messages(), WireVersions.CURRENT);
          }

          @Override
          public void received(ReplicaId from, List<Message> messages, Consumer<List<Message>> answers) {
            if (self.equals(TWO)) {
              received.addAll(messages);
              answers.accept(messages);
            } else {
              answered.addAll(messages);
            }
          }

          @Override
          public void suspected(ReplicaId replica) {
            hints.incrementAndGet();
          }
        });
    channel.start();
    return channel;
  }

  private InetSocketAddress route(InetSocketAddress address) {
    return address.getPort() == second.getPort() ? proxy.address() : address;
  }

  private static long threads(String name) {
    return Thread.getAllStackTraces().keySet().stream().filter(thread -> thread.getName().equals(name)).count();
  }
}
