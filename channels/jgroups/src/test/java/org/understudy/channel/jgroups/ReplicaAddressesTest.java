package org.understudy.channel.jgroups;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.core.wire.WireVersions;
import org.understudy.replication.runtime.codec.MessageFormat;
import org.understudy.test.channel.Received;
import org.understudy.test.channel.Word;
import org.understudy.test.network.FreePorts;

/** Names with several addresses, with others later, and without any yet. */
class ReplicaAddressesTest {
  private static final ReplicaId ONE = new ReplicaId(1);
  private static final ReplicaId TWO = new ReplicaId(2);

  private final Map<String, List<InetSocketAddress>> dns = new ConcurrentHashMap<>();

  private static InetSocketAddress name(String host) {
    return InetSocketAddress.createUnresolved(host, 7800);
  }

  private static JGroupsSettings settings(ReplicaId self, Map<ReplicaId, InetSocketAddress> addresses, SSLContext tls) {
    return new JGroupsSettings(
        "house", self, addresses, "a secret".getBytes(StandardCharsets.UTF_8), tls, Duration.ofMillis(400),
        JGroupsSettings.MAX_WAITING_BYTES);
  }

  /** @param own host of the machine on which the addresses are asked for */
  private ReplicaAddresses addresses(JGroupsSettings settings, String own) {
    return new ReplicaAddresses(
        settings,
        configured -> {
          List<InetSocketAddress> found = dns.get(configured.getHostString());
          if (found == null) {
            throw new UnknownHostException("no such name");
          }
          return found;
        },
        address -> address.getHostAddress().equals(own));
  }

  @Test
  void allAddressesOfANameAreReachableAndTheOwnIsThatOfThisMachine() throws Exception {
    InetSocketAddress first = new InetSocketAddress("127.0.0.11", 7800);
    InetSocketAddress second = new InetSocketAddress("127.0.0.12", 7800);
    dns.put("replicas.test", List.of(first, second));
    JGroupsSettings settings = settings(TWO, Map.of(ONE, name("replicas.test"), TWO, name("replicas.test")), null);
    ReplicaAddresses addresses = addresses(settings, "127.0.0.12");
    assertEquals(List.of(first, second), addresses.reachable());
    assertEquals(second, addresses.own());
    assertEquals(first, addresses(settings, "192.0.2.1").own(), "none is of this machine");
    assertTrue(addresses.areLoopback());
    dns.remove("replicas.test");
    assertEquals(List.of("replicas.test", "replicas.test"), addresses.unknown());
    assertThrows(UnknownHostException.class, addresses::own);
  }

  @Test
  void withoutTlsOnlyLoopbackAddressesAreUsed() {
    InetSocketAddress loopback = new InetSocketAddress("127.0.0.1", 7800);
    dns.put("one.test", List.of(loopback));
    ReplicaAddresses addresses = addresses(settings(ONE, Map.of(ONE, name("one.test"), TWO, name("two.test")), null), "127.0.0.1");
    assertFalse(addresses.areLoopback(), "an unknown name may have any address");
    dns.put("two.test", List.of(new InetSocketAddress("192.0.2.1", 7800)));
    assertFalse(addresses.areLoopback());
    assertEquals(List.of(loopback), addresses.reachable());
  }

  private JGroupsChannel channel(ReplicaId self, Map<ReplicaId, InetSocketAddress> addresses, SSLContext tls) throws Exception {
    JGroupsSettings settings = settings(self, addresses, tls);
    String own = dns.get(addresses.get(self).getHostString()).get(self.number() - 1).getAddress().getHostAddress();
    return new JGroupsChannel(settings, new MessageFormat(List.of(Word.KIND), WireVersions.CURRENT), addresses(settings, own));
  }

  @Test
  void replicasOfOneNameMeet() throws Exception {
    int port = FreePorts.next();
    dns.put("replicas.test", List.of(new InetSocketAddress("127.0.0.1", port), new InetSocketAddress("127.0.0.2", port)));
    Map<ReplicaId, InetSocketAddress> configured = Map.of(ONE, name("replicas.test"), TWO, name("replicas.test"));
    Received atOne = new Received();
    Received atTwo = new Received();
    try (JGroupsChannel one = channel(ONE, configured, null); JGroupsChannel two = channel(TWO, configured, null)) {
      one.join(atOne);
      atOne.await("view [1]");
      two.join(atTwo);
      atTwo.await("view [1, 2]");
      atOne.await("view [1, 2]");
    }
  }

  /** DNS has no other name when each of them starts. */
  @Test
  void replicasMeetWhenTheirNamesAreKnown(@TempDir Path directory) throws Exception {
    List<InetSocketAddress> one = List.of(FreePorts.nextAddress());
    List<InetSocketAddress> two = List.of(FreePorts.nextAddress());
    SSLContext tls = JGroupsChannelTest.tls(directory);
    Map<ReplicaId, InetSocketAddress> configured = Map.of(ONE, name("one.test"), TWO, name("two.test"));
    Received atOne = new Received();
    Received atTwo = new Received();
    JGroupsSettings ofOne = settings(ONE, configured, tls);
    JGroupsSettings ofTwo = settings(TWO, configured, tls);
    MessageFormat format = new MessageFormat(List.of(Word.KIND), WireVersions.CURRENT);
    dns.put("one.test", one);
    try (JGroupsChannel first = new JGroupsChannel(ofOne, format, addresses(ofOne, "127.0.0.1"))) {
      first.join(atOne);
      atOne.await("view [1]");
      dns.remove("one.test");
      dns.put("two.test", two);
      try (JGroupsChannel second = new JGroupsChannel(ofTwo, format, addresses(ofTwo, "127.0.0.1"))) {
        second.join(atTwo);
        atTwo.await("view [2]");
        dns.put("one.test", one);
        atOne.await("view [1, 2]");
        atTwo.await("view [1, 2]");
      }
    }
  }
}
