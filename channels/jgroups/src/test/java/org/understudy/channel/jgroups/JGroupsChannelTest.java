package org.understudy.channel.jgroups;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.jgroups.util.Util;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.core.GroupView;
import org.understudy.replication.core.Message;
import org.understudy.replication.core.MessageKind;
import org.understudy.replication.core.channel.GroupChannel;
import org.understudy.replication.core.channel.GroupReceiver;
import org.understudy.replication.core.wire.WireVersions;
import org.understudy.replication.runtime.channel.GroupChannelException;
import org.understudy.replication.runtime.codec.MessageFormat;
import org.understudy.test.channel.GroupChannelContract;
import org.understudy.test.channel.Received;
import org.understudy.test.channel.Word;
import org.understudy.test.network.FreePorts;
import org.understudy.test.network.SelfSigned;

/** The contract of a group channel, over JGroups and TCP. */
class JGroupsChannelTest extends GroupChannelContract {
  @TempDir Path directory;

  private final Map<String, Map<ReplicaId, InetSocketAddress>> groups = new HashMap<>();

  private Map<ReplicaId, InetSocketAddress> addresses(String group) {
    return groups.computeIfAbsent(
        group,
        any -> {
          Map<ReplicaId, InetSocketAddress> addresses = new HashMap<>();
          ALL.forEach(replica -> addresses.put(replica, FreePorts.nextAddress()));
          return addresses;
        });
  }

  private static JGroupsChannel channel(
      String group, ReplicaId self, Map<ReplicaId, InetSocketAddress> addresses, String secret) throws GroupChannelException {
    return channel(group, self, addresses, secret, null);
  }

  private static JGroupsChannel channel(
      String group, ReplicaId self, Map<ReplicaId, InetSocketAddress> addresses, String secret, SSLContext tls)
      throws GroupChannelException {
    return channel(group, self, addresses, secret, tls, JGroupsSettings.MAX_WAITING_BYTES);
  }

  private static JGroupsChannel channel(
      String group, ReplicaId self, Map<ReplicaId, InetSocketAddress> addresses, String secret, SSLContext tls, long maxWaitingBytes)
      throws GroupChannelException {
    return new JGroupsChannel(
        new JGroupsSettings(
            group, self, addresses, secret.getBytes(StandardCharsets.UTF_8), tls, Duration.ofMillis(400), maxWaitingBytes),
        new MessageFormat(List.of(Word.KIND), WireVersions.CURRENT));
  }

  @Override
  protected GroupChannel channel(String group, ReplicaId self) throws GroupChannelException {
    return channel(group, self, addresses(group), "a secret of the tests");
  }

  @Override
  protected void crash(GroupChannel channel) {
    try {
      Util.shutdown(((JGroupsChannel) channel).transport());
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void replicaWithAnotherSecretIsNoMember() throws Exception {
    Received atOne = new Received();
    GroupChannel one = join(1, atOne);
    atOne.await("view [1]");
    Received outside = new Received();
    try (JGroupsChannel stranger = channel("house", ALL.get(1), addresses("house"), "another secret")) {
      stranger.join(outside);
      outside.await("view [2]");
      stranger.multicast(new Word("let me in"));
      outside.await("2:let me in");
    }
    one.multicast(new Word("alone"));
    atOne.await("1:alone");
    assertEquals(List.of("view [1]", "1:alone"), atOne.events());
  }

  /** With the key of this store, trusting it alone. */
  static SSLContext tls(Path directory) throws Exception {
    KeyStore store = KeyStore.getInstance(SelfSigned.of(directory, "ip:127.0.0.1").store().toFile(), SelfSigned.PASSWORD);
    KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    keys.init(store, SelfSigned.PASSWORD);
    TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(store);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(keys.getKeyManagers(), trust.getTrustManagers(), null);
    return context;
  }

  @Test
  void onlyHoldersOfATrustedCertificateAreMembersOverTls(@TempDir Path directory) throws Exception {
    SSLContext trusted = tls(directory.resolve("trusted"));
    Received atOne = new Received();
    Received atTwo = new Received();
    Received outside = new Received();
    Map<ReplicaId, InetSocketAddress> addresses = addresses("house");
    String secret = "a secret of the tests";
    try (JGroupsChannel one = channel("house", ALL.get(0), addresses, secret, trusted);
        JGroupsChannel two = channel("house", ALL.get(1), addresses, secret, trusted);
        JGroupsChannel stranger = channel("house", ALL.get(2), addresses, secret, tls(directory.resolve("stranger")))) {
      one.join(atOne);
      atOne.await("view [1]");
      stranger.join(outside);
      outside.await("view [3]");
      two.join(atTwo);
      atTwo.await("view [1, 2]");
      two.multicast(new Word("sealed"));
      atOne.await("2:sealed");
      assertEquals(List.of("view [1]", "view [1, 2]", "2:sealed"), atOne.events());
    }
  }

  @Test
  void channelToOtherMachinesRequiresTls() {
    Map<ReplicaId, InetSocketAddress> addresses =
        Map.of(ALL.get(0), new InetSocketAddress("127.0.0.1", 7800), ALL.get(1), new InetSocketAddress("192.0.2.1", 7800));
    GroupChannelException e =
        assertThrows(GroupChannelException.class, () -> channel("house", ALL.get(0), addresses, "a secret of the tests"));
    assertTrue(e.getMessage().contains("TLS"), e.getMessage());
  }

  /** Blocks in its first message. */
  private static final class Blocking implements GroupReceiver {
    final Received received = new Received();
    final CountDownLatch release = new CountDownLatch(1);

    @Override
    public void delivered(ReplicaId from, Message message) {
      try {
        release.await();
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
      received.delivered(from, message);
    }

    @Override
    public void viewInstalled(GroupView view) {
      received.viewInstalled(view);
    }

    @Override
    public void failed(String why, Throwable cause) {
      received.failed(why, cause);
    }
  }

  @Test
  void replicaWhoseReceiverBlocksLeavesTheGroupWhenItsQueueIsFull() throws Exception {
    Received atOne = new Received();
    Blocking slow = new Blocking();
    try (JGroupsChannel one = channel("house", ALL.get(0), addresses("house"), "a secret");
        JGroupsChannel two = channel("house", ALL.get(1), addresses("house"), "a secret", null, 1_000_000)) {
      try {
        one.join(atOne);
        atOne.await("view [1]");
        two.join(slow);
        slow.received.await("view [1, 2]");
        atOne.await("view [1, 2]");
        for (int i = 0; i < 40; i++) {
          one.multicast(new Word(i + "x".repeat(90_000)));
        }
        atOne.await("a view without the slow replica", events -> events.lastIndexOf("view [1]") > events.indexOf("view [1, 2]"));
        one.multicast(new Word("alone"));
        atOne.await("1:alone");
        assertEquals(41, atOne.messages().size());
      } finally {
        slow.release.countDown();
      }
      slow.received.await("the failure", events -> events.get(events.size() - 1).startsWith("failed: "));
      String why = slow.received.events().get(slow.received.events().size() - 1);
      assertTrue(why.contains("more slowly than the group sends") && why.contains("1000000 bytes"), why);
    }
  }

  /** Its queue is far from full: the member that orders holds the others' messages back. */
  @Test
  void replicaWhoseReceiverBlocksLeavesAndTheOthersContinue() throws Exception {
    Received atOne = new Received();
    Blocking slow = new Blocking();
    try (JGroupsChannel one = channel("house", ALL.get(0), addresses("house"), "a secret");
        JGroupsChannel two = channel("house", ALL.get(1), addresses("house"), "a secret")) {
      try {
        one.join(atOne);
        atOne.await("view [1]");
        two.join(slow);
        slow.received.await("view [1, 2]");
        atOne.await("view [1, 2]");
        for (int i = 0; i < 200; i++) {
          one.multicast(new Word(i + "x".repeat(90_000)));
        }
        atOne.await("all that it sent", events -> atOne.messages().size() == 200);
        assertTrue(atOne.events().lastIndexOf("view [1]") > atOne.events().indexOf("view [1, 2]"), "a view without the blocked replica");
      } finally {
        slow.release.countDown();
      }
      slow.received.await("the failure", events -> events.get(events.size() - 1).startsWith("failed: "));
      String why = slow.received.events().get(slow.received.events().size() - 1);
      assertTrue(why.contains("has processed nothing for 2000 ms"), why);
    }
  }

  /** The thread that has read the message calls the receiver. */
  @Test
  void replicaWhoseReceiverBlocksInAShortMessageLeavesAndTheOthersContinue() throws Exception {
    Received atOne = new Received();
    Blocking slow = new Blocking();
    try (JGroupsChannel one = channel("house", ALL.get(0), addresses("house"), "a secret");
        JGroupsChannel two = channel("house", ALL.get(1), addresses("house"), "a secret")) {
      try {
        one.join(atOne);
        atOne.await("view [1]");
        two.join(slow);
        slow.received.await("view [1, 2]");
        atOne.await("view [1, 2]");
        one.multicast(new Word("short"));
        atOne.await("1:short");
        atOne.await("a view without the blocked replica", events -> events.lastIndexOf("view [1]") > events.indexOf("view [1, 2]"));
        one.multicast(new Word("alone"));
        atOne.await("1:alone");
      } finally {
        slow.release.countDown();
      }
      slow.received.await("the failure", events -> events.get(events.size() - 1).startsWith("failed: "));
      String why = slow.received.events().get(slow.received.events().size() - 1);
      assertTrue(why.contains("has processed nothing for 2000 ms"), why);
    }
  }

  /** The thread of a request, which multicasts, finds the channel full when the process can create no thread. */
  @Test
  void channelThatCannotCreateAThreadEndsWithoutAnErrorForTheSender() throws Exception {
    Blocking slow = new Blocking();
    JGroupsSettings settings =
        new JGroupsSettings(
            "house", ALL.get(0), addresses("house"), "a secret".getBytes(StandardCharsets.UTF_8), null, Duration.ofMillis(400), 1_000_000);
    ThreadFactory exhausted =
        task ->
            new Thread(task) {
              @Override
              public synchronized void start() {
                throw new OutOfMemoryError("unable to create native thread");
              }
            };
    try (JGroupsChannel one =
        new JGroupsChannel(
            settings, new MessageFormat(List.of(Word.KIND), WireVersions.CURRENT), new ReplicaAddresses(settings), exhausted)) {
      try {
        one.join(slow);
        slow.received.await("view [1]");
        for (int i = 0; i < 40; i++) {
          one.multicast(new Word(i + "x".repeat(90_000)));
        }
      } finally {
        slow.release.countDown();
      }
      slow.received.await("the failure", events -> events.get(events.size() - 1).startsWith("failed: "));
      String why = slow.received.events().get(slow.received.events().size() - 1);
      assertTrue(why.contains("more slowly than this replica sends"), why);
    }
  }

  /** Throws an error at the event that it waits for, as where no thread can be created or a class is missing. */
  private record Broken(Received received, String at) implements GroupReceiver {
    private void fail(String event) {
      if (at.equals(event)) {
        throw new OutOfMemoryError("unable to create native thread");
      }
    }

    @Override
    public void delivered(ReplicaId from, Message message) {
      fail("message");
      received.delivered(from, message);
    }

    @Override
    public void viewInstalled(GroupView view) {
      fail("view");
      received.viewInstalled(view);
    }

    @Override
    public void failed(String why, Throwable cause) {
      received.failed(why, cause);
    }
  }

  @Test
  void errorOfAViewOrAMessageEndsTheChannel() throws Exception {
    Received atOne = new Received();
    try (JGroupsChannel one = channel("house", ALL.get(0), addresses("house"), "a secret");
        JGroupsChannel two = channel("house", ALL.get(1), addresses("house"), "a secret");
        JGroupsChannel three = channel("house", ALL.get(2), addresses("house"), "a secret")) {
      one.join(atOne);
      atOne.await("view [1]");
      Broken atView = new Broken(new Received(), "view");
      three.join(atView);
      atView.received.await("the failure", events -> !events.isEmpty() && events.get(0).startsWith("failed: "));
      Broken atMessage = new Broken(new Received(), "message");
      two.join(atMessage);
      atMessage.received.await("view [1, 2]");
      one.multicast(new Word("short"));
      atMessage.received.await("the failure", events -> events.get(events.size() - 1).startsWith("failed: "));
    }
  }

  @Test
  void hostsThatAreUnknownYetCanJoinLater() throws Exception {
    Received atOne = new Received();
    Received atTwo = new Received();
    Map<ReplicaId, InetSocketAddress> known = addresses("house");
    Map<ReplicaId, InetSocketAddress> partly = new HashMap<>(known);
    partly.put(ALL.get(1), InetSocketAddress.createUnresolved("two.invalid", 7800));
    SSLContext tls = tls(directory);
    try (JGroupsChannel one = channel("house", ALL.get(0), partly, "a secret", tls);
        JGroupsChannel two = channel("house", ALL.get(1), known, "a secret", tls)) {
      one.join(atOne);
      atOne.await("view [1]");
      two.join(atTwo);
      atTwo.await("view [1, 2]");
      atOne.await("view [1, 2]");
    }
    partly.put(ALL.get(0), InetSocketAddress.createUnresolved("one.invalid", 7800));
    GroupChannelException e =
        assertThrows(GroupChannelException.class, () -> channel("house", ALL.get(0), partly, "a secret", tls));
    assertTrue(e.getMessage().contains("its host one.invalid in understudy.channel.jgroups.addresses is unknown"), e.getMessage());
  }

  @Test
  void failedChannelKeepsNoMessage() throws Exception {
    Received received = new Received();
    InetSocketAddress address = addresses("house").get(ALL.get(0));
    try (ServerSocket taken = new ServerSocket(address.getPort(), 1, address.getAddress());
        JGroupsChannel channel = channel("house", ALL.get(0), addresses("house"), "a secret")) {
      assertTrue(taken.isBound());
      channel.join(received);
      received.await("the failure", events -> events.stream().anyMatch(event -> event.startsWith("failed: ")));
      AtomicInteger measured = new AtomicInteger();
      channel.multicast(
          new Message() {
            @Override
            public long epoch() {
              return 0;
            }

            @Override
            public MessageKind kind() {
              return Word.KIND;
            }

            @Override
            public long encodedBytes() {
              return measured.incrementAndGet();
            }
          });
      assertEquals(0, measured.get(), "a message that is queued is measured");
    }
  }
}
