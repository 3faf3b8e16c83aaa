package org.understudy.channel.spread;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;
import org.understudy.channel.spread.session.ServiceLevel;
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
@EnabledIf("isPossible")
class RealDaemonTest extends GroupChannelContract {
  @TempDir private static Path directory;
  private static Daemons daemons;

  private final String test = UUID.randomUUID().toString();

  static boolean isPossible() {
    return System.getenv("SPREAD_DAEMON") != null || System.getenv(Daemons.PROGRAM) != null;
  }

  @BeforeAll
  static void start() throws Exception {
    daemons = System.getenv("SPREAD_DAEMON") == null ? new Daemons(directory) : null;
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
    String[] all = System.getenv("SPREAD_DAEMON").split(",");
    String[] parts = all[(self.number() - 1) % all.length].split("@");
    return InetSocketAddress.createUnresolved(parts[1], Integer.parseInt(parts[0]));
  }

  private GroupChannel channel(String group, ReplicaId self, ServiceLevel service) {
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
}
