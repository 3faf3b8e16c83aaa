package org.understudy.channel.spread;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;
import org.understudy.channel.spread.order.GroupNames;
import org.understudy.channel.spread.session.ServiceLevel;
import org.understudy.channel.spread.session.SessionEvent;
import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.core.channel.GroupChannel;
import org.understudy.replication.core.wire.WireVersions;
import org.understudy.replication.runtime.codec.MessageFormat;
import org.understudy.test.channel.GroupChannelContract;
import org.understudy.test.channel.Received;
import org.understudy.test.channel.Word;

/**
 * The contract of a group channel, over real daemons. SPREAD_DAEMON names running ones: port@host, comma between. SPREAD_PROGRAM names
 * the daemon's program, of which the tests start three.
 */
@EnabledIf(value = "isPossible", disabledReason = RealDaemonTest.NO_DAEMON)
class RealDaemonTest extends GroupChannelContract {
  private static final String DAEMON = "SPREAD_DAEMON";
  static final String NO_DAEMON =
      "Neither SPREAD_DAEMON (port@host of running Spread daemons, comma between) nor SPREAD_PROGRAM (the path of the daemon's program) is "
          + "set, so the contract of the channel is not tested over a real daemon.";

  @TempDir private static Path directory;
  private static Daemons daemons;

  private final String test = UUID.randomUUID().toString();

  static boolean isPossible() {
    return System.getenv(DAEMON) != null || System.getenv(Daemons.PROGRAM) != null;
  }

  @BeforeAll
  static void start() throws Exception {
    daemons = System.getenv(DAEMON) == null ? new Daemons(directory) : null;
    System.out.println(
        daemons == null
            ? "The contract is tested over the running Spread daemons " + System.getenv(DAEMON) + "."
            : "The contract is tested over three Spread daemons of the program " + System.getenv(Daemons.PROGRAM) + ".");
  }

  @AfterAll
  static void stop() {
    if (daemons != null) {
      daemons.close();
    }
  }

  private static InetSocketAddress daemon(ReplicaId self) {
    if (daemons != null) {
      return daemons.address(self.number());
    }
    String[] all = System.getenv(DAEMON).split(",");
    String[] parts = all[(self.number() - 1) % all.length].split("@");
    return InetSocketAddress.createUnresolved(parts[1], Integer.parseInt(parts[0]));
  }

  final GroupChannel channel(String group, ReplicaId self, ServiceLevel service) {
    return new SpreadChannel(
        new SpreadSettings(
            daemon(self), group + test, self, ALL, "a secret of the tests".getBytes(StandardCharsets.UTF_8), service,
            SpreadSettings.MAX_WAITING_BYTES),
        new MessageFormat(List.of(Word.KIND), WireVersions.CURRENT));
  }

  @Override
  protected GroupChannel channel(String group, ReplicaId self) {
    return channel(group, self, ServiceLevel.AGREED);
  }

  @Test
  void safeAndAgreedMessagesShareOneOrder() throws Exception {
    List<Received> received = List.of(new Received(), new Received());
    List<GroupChannel> channels = new ArrayList<>();
    try {
      for (int i = 0; i < 2; i++) {
        channels.add(channel("mixed", ALL.get(i), ServiceLevel.values()[i]));
        channels.get(i).join(received.get(i));
        received.get(0).await(List.of("view [1]", "view [1, 2]").get(i));
      }
      received.get(1).await("view [1, 2]");
      for (int i = 0; i < 200; i++) {
        channels.get(i % 2).multicast(new Word("word " + i));
      }
      received.forEach(one -> one.await("all", events -> one.messages().size() == 200));
      assertEquals(received.get(0).since("view [1, 2]"), received.get(1).since("view [1, 2]"));
      assertTrue(received.get(0).messages().contains("2:word 199"));
    } finally {
      channels.forEach(GroupChannel::close);
    }
  }

  /** A message to this group with other bits in its type, and to another group whose name no client of Spread can have. */
  private static List<ByteBuffer> forged(DaemonSession stranger, String group, int bits, String other) {
    ByteBuffer head = stranger.encoder().multicast(ServiceLevel.AGREED, group, 0);
    head.putInt(0, head.getInt(0) | bits);
    if (other.isEmpty()) {
      return List.of(head);
    }
    head.putInt(36, 2);
    return List.of(head, ByteBuffer.wrap(Arrays.copyOf(other.getBytes(StandardCharsets.ISO_8859_1), 32)));
  }

  @Test
  void strangerEndsNoSession() throws Exception {
    List<Received> received = List.of(new Received(), new Received());
    List<GroupChannel> channels = new ArrayList<>();
    try {
      for (int i = 0; i < 2; i++) {
        channels.add(channel("strangers", ALL.get(i)));
        channels.get(i).join(received.get(i));
        received.get(0).await(List.of("view [1]", "view [1, 2]").get(i));
      }
      received.get(1).await("view [1, 2]");
      String group = new GroupNames("strangers" + test, "a secret of the tests".getBytes(StandardCharsets.UTF_8)).group();
      int sent = 0;
      int rejected = 0;
      for (int bits : new int[] {0, 0x400000, 0x1100, 0x2000, 0x1000, 0x200}) {
        for (String other : List.of("", "\u0001", "n".repeat(32))) {
          try (DaemonSession stranger = DaemonSession.open(daemon(ALL.get(1)), "stranger" + sent++)) {
            stranger.write(forged(stranger, group, bits, other));
            // The daemon orders its join after what it sent, and ends a session that sends what the daemon rejects.
            stranger.write(List.of(stranger.encoder().join(group)));
            awaitMembership(stranger);
          } catch (IOException e) {
            rejected++;
          }
          channels.get(0).multicast(new Word("word " + sent));
          received.get(1).await("1:word " + sent);
        }
      }
      try (DaemonSession stranger = DaemonSession.open(daemon(ALL.get(1)), "01abcdef==")) {
        stranger.write(List.of(stranger.encoder().join(group)));
        awaitMembership(stranger);
      }
      channels.get(0).multicast(new Word("last"));
      received.get(1).await("1:last");
      assertTrue(rejected < sent, "The daemons passed nothing on.");
    } finally {
      channels.forEach(GroupChannel::close);
    }
  }

  private static void awaitMembership(DaemonSession session) throws IOException {
    SessionEvent event;
    do {
      event = session.next();
    } while (!(event instanceof SessionEvent.Membership));
  }
}
