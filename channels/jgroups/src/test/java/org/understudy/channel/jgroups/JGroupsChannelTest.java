package org.understudy.channel.jgroups;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.jgroups.util.Util;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.core.channel.GroupChannel;
import org.understudy.replication.core.channel.GroupChannelException;
import org.understudy.replication.core.wire.WireVersions;
import org.understudy.replication.runtime.codec.MessageFormat;
import org.understudy.test.channel.GroupChannelContract;
import org.understudy.test.channel.Received;
import org.understudy.test.channel.Word;
import org.understudy.test.network.FreePorts;
import org.understudy.test.network.SelfSigned;

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
    return channel(group, self, addresses, secret, null);
  }

  private static JGroupsChannel channel(
      String group, ReplicaId self, Map<ReplicaId, InetSocketAddress> addresses, String secret, SSLContext tls)
      throws GroupChannelException {
    return new JGroupsChannel(
        new JGroupsSettings(
            group, self, addresses, secret.getBytes(StandardCharsets.UTF_8), tls, Duration.ofMillis(400),
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

  /** With the key of this store, trusting it alone. */
  private static SSLContext tls(Path directory) throws Exception {
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
}
