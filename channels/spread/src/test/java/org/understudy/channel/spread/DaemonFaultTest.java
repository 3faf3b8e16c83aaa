package org.understudy.channel.spread;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.api.io.TempDir;
import org.understudy.channel.spread.session.ServiceLevel;
import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.core.channel.GroupChannel;
import org.understudy.replication.core.wire.WireVersions;
import org.understudy.replication.runtime.codec.MessageFormat;
import org.understudy.test.channel.Received;
import org.understudy.test.channel.Word;

/** Real daemons that lose each other and meet again under load. */
@EnabledIfEnvironmentVariable(named = Daemons.PROGRAM, matches = ".+", disabledReason = Daemons.NO_PROGRAM)
class DaemonFaultTest {
  private static final List<ReplicaId> ALL = List.of(new ReplicaId(1), new ReplicaId(2), new ReplicaId(3));

  @Test
  void daemonThatStopsAndGoesOnLosesAndRepeatsNothing(@TempDir Path directory) throws Exception {
    List<Received> received = List.of(new Received(), new Received(), new Received());
    List<GroupChannel> channels = new ArrayList<>();
    try (Daemons daemons = new Daemons(directory)) {
      for (ReplicaId self : ALL) {
        GroupChannel channel =
            new SpreadChannel(
                new SpreadSettings(
                    daemons.address(self.number()), "faults", self, ALL, "a secret of the tests".getBytes(StandardCharsets.UTF_8),
                    ServiceLevel.AGREED, SpreadSettings.MAX_WAITING_BYTES),
                new MessageFormat(List.of(Word.KIND), WireVersions.CURRENT));
        channels.add(channel);
        channel.join(received.get(self.number() - 1));
        received.get(0).await(List.of("view [1]", "view [1, 2]", "view [1, 2, 3]").get(self.number() - 1));
      }
      received.forEach(one -> one.await("view [1, 2, 3]"));
      int sent = 0;
      for (; sent < 300; sent++) {
        say(channels, sent);
      }
      daemons.signal(3, "STOP");
      for (; sent < 600; sent++) {
        say(channels, sent);
      }
      received.get(0).await("view [1, 2]", events -> events.lastIndexOf("view [1, 2]") > events.indexOf("view [1, 2, 3]"));
      daemons.signal(3, "CONT");
      received.get(0).await("all together", events -> events.lastIndexOf("view [1, 2, 3]") > events.lastIndexOf("view [1, 2]"));
      for (; sent < 900; sent++) {
        say(channels, sent);
      }
      int all = sent;
      for (int i = 0; i < 3; i++) {
        String own = (i + 1) + ":";
        received.get(i).await(
            "its own messages", events -> events.stream().filter(event -> event.startsWith(own)).count() == all);
      }
      for (Received one : received) {
        // Messages of the others may be arriving still.
        List<String> messages = one.messages();
        Set<String> once = new HashSet<>(messages);
        assertEquals(once.size(), messages.size(), "each message once");
      }
      assertEquals(received.get(0).since("view [1, 2, 3]").subList(0, 100), received.get(2).since("view [1, 2, 3]").subList(0, 100));
    } finally {
      channels.forEach(GroupChannel::close);
    }
  }

  /** TCP reports nothing: the machine of the daemon has no power, or the daemon hangs. */
  @Test
  void silentDaemonIsNoticed(@TempDir Path directory) throws Exception {
    Received received = new Received();
    try (Daemons daemons = new Daemons(directory);
        SpreadChannel channel =
            new SpreadChannel(
                new SpreadSettings(
                    daemons.address(1), "silence", ALL.get(0), ALL, "a secret of the tests".getBytes(StandardCharsets.UTF_8),
                    ServiceLevel.AGREED, SpreadSettings.MAX_WAITING_BYTES),
                new MessageFormat(List.of(Word.KIND), WireVersions.CURRENT), () -> 4711, 3_000)) {
      channel.join(received);
      received.await("view [1]");
      daemons.signal(1, "STOP");
      received.await("its end", events -> events.get(events.size() - 1).contains("the daemon has sent nothing for 3000 ms"));
      daemons.signal(1, "CONT");
    }
  }

  private static void say(List<GroupChannel> channels, int number) {
    channels.forEach(channel -> channel.multicast(new Word("word " + number)));
  }
}
