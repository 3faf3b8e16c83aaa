package org.understudy.channel.jgroups;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jgroups.util.Util;
import org.junit.jupiter.api.Test;
import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.core.channel.GroupChannel;
import org.understudy.replication.core.channel.GroupChannelException;
import org.understudy.replication.core.wire.WireVersions;
import org.understudy.replication.runtime.codec.MessageFormat;
import org.understudy.test.channel.GroupChannelContract;
import org.understudy.test.channel.Received;
import org.understudy.test.channel.Word;
import org.understudy.test.network.FreePorts;

/** The contract of a group channel, over JGroups and TCP. */
class JGroupsChannelTest extends GroupChannelContract {
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
    return new JGroupsChannel(
        new JGroupsSettings(
            group, self, addresses, secret.getBytes(StandardCharsets.UTF_8), null, Duration.ofMillis(400),
            JGroupsSettings.MAX_WAITING_BYTES),
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

  @Test
  void channelToOtherMachinesRequiresTls() {
    Map<ReplicaId, InetSocketAddress> addresses =
        Map.of(ALL.get(0), new InetSocketAddress("127.0.0.1", 7800), ALL.get(1), new InetSocketAddress("192.0.2.1", 7800));
    GroupChannelException e =
        assertThrows(GroupChannelException.class, () -> channel("house", ALL.get(0), addresses, "a secret of the tests"));
    assertTrue(e.getMessage().contains("TLS"), e.getMessage());
  }
}
