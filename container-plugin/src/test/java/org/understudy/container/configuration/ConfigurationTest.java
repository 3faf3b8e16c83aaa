package org.understudy.container.configuration;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Properties;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.core.ReadConfirmation;
import org.understudy.test.network.SelfSigned;

class ConfigurationTest {
  @TempDir Path directory;

  private static Properties good() {
    Properties properties = new Properties();
    properties.setProperty("understudy.replica", "1");
    properties.setProperty("understudy.replicas", "1=http://a:1/c,2=http://b:1/c,3=http://c:1/c");
    properties.setProperty("understudy.peers", "1=127.0.0.1:2,2=127.0.0.1:3,3=127.0.0.1:4");
    properties.setProperty("understudy.secret", "sixteen characters");
    properties.setProperty("understudy.directory", "/tmp/x");
    return properties;
  }

  @Test
  void validConfigurationIsAccepted() throws Exception {
    Configuration configuration = Configuration.of(good());
    assertEquals("primary-backup", configuration.strategy().name());
    assertEquals(3, configuration.replicas().size());
    assertEquals(ReadConfirmation.LEASE, configuration.readConfirmation());
    Properties properties = good();
    properties.setProperty("understudy.read.confirm", "always");
    assertEquals(ReadConfirmation.ALWAYS, Configuration.of(properties).readConfirmation());
  }

  @Test
  void invalidConfigurationIsRefusedInOneLine() {
    refused("understudy.replika", "1", "The key understudy.replika is unknown; did you mean understudy.replica?");
    refused("understudy.suspekt.ms", "1", "is unknown; did you mean understudy.suspect.ms?");
    refused("suspect.ms", "1", "is unknown; did you mean understudy.suspect.ms?");
    refused("understudy.colour", "red", "The key understudy.colour is unknown. docs/configuration.md lists the keys.");
    refused("understudy.directory", "data", "understudy.directory is data, a relative path");
    refused("understudy.directory", "data\0", "which is not a path: ");
    refused("understudy.replica", "x", "must be a whole number");
    refused("understudy.replica", "4", "not this replica, which is 4");
    refused("understudy.replicas", "1=http://a:1/c,1=http://b:1/c", "lists replica 1 twice");
    refused("understudy.replicas", "1=http://a:1/c,2=http://a:1/c", "two replicas the address");
    refused("understudy.replicas", "1=nonsense", "not a URL like");
    refused("understudy.transfer", "pigeon", "must be one of socket, call, notification");
    refused(
        "understudy.strategy",
        "magic",
        "no such strategy is installed; installed are group, none, primary-backup");
    refused("understudy.secret", "short", "shorter than 16 characters");
    refused("understudy.suspect.ms", "60", "less than two heartbeats");
    refused("understudy.peers", "1=a:2", "lists [1] but");
    refused("understudy.channel.jgroups.addresses", "1=a:2", "understudy.channel.jgroups.addresses lists [1] but");
    refused("understudy.channel.jgroups.addresses", "1=a:2,2=b:2,3=c", "gives replica 3 the address c, which is not like host:port");
    refused("understudy.channel.jgroups.addresses", "1=127.0.0.1:2,2=127.0.0.1:5,3=127.0.0.1:6",
        "understudy.channel.jgroups.addresses and understudy.peers both give a replica the address 127.0.0.1:2");
    refused("understudy.channel.spread.daemon", "localhost:4803", "which is not like port@host");
    refused("understudy.channel.spread.service", "reliable", "agreed, safe");
    refused("understudy.trust.store", "/no/such/store", "cannot be used as a key store");
    refused("understudy.read.confirm", "never", "must be one of lease, always");
    refused("understudy.load.threshold", "many", "must be off or a whole number");
    refused("understudy.load.index", "magic", "understudy.load.index is magic, and no such index is installed; there are requests, test.");
    refused("understudy.client.urls", "1=https://a/c,2=https://b/c", "lists [1, 2] but understudy.replicas lists [1, 2, 3]");
    refused("understudy.client.urls", "1=https://a/c,2=https://b/c,2=https://c/c", "lists replica 2 twice");
    refused("understudy.client.urls", "1=https://a/c,2=https://a/c,3=https://c/c", "gives some replicas the same URL");
    refused("understudy.client.urls", "balancer", "gives all replicas the address balancer, which is not a URL");
    refused("understudy.client.urls", "1=https://a/c,https://b/c,3=https://c/c", "holds \"https://b/c\"");
  }

  @Test
  void clientsMayReachReplicasAtOtherAddresses() throws Exception {
    Properties properties = good();
    Configuration same = Configuration.of(properties);
    ReplicaId two = new ReplicaId(2);
    assertEquals(same.url(two), same.clientUrl(two));
    assertFalse(same.hasOneClientUrl());
    properties.setProperty("understudy.client.urls", "1=https://a/c/,2=https://b/c,3=https://c/c");
    Configuration translated = Configuration.of(properties);
    assertEquals("https://a/c", translated.clientUrl(new ReplicaId(1)).toString());
    assertEquals(same.url(two), translated.url(two));
    assertFalse(translated.hasOneClientUrl());
    properties.setProperty("understudy.client.urls", "https://balancer/c");
    assertEquals("https://balancer/c", Configuration.of(properties).clientUrl(two).toString());
    assertTrue(Configuration.of(properties).hasOneClientUrl());
  }

  @Test
  void limitIsNotBelowTheThreshold() throws Exception {
    Properties properties = good();
    properties.setProperty("understudy.load.limit", "50");
    assertEquals(Integer.MAX_VALUE, Configuration.of(properties).loadThreshold());
    properties.setProperty("understudy.load.threshold", "51");
    refused(properties, "understudy.load.limit is 50, below understudy.load.threshold of 51");
    properties.setProperty("understudy.load.index", "test");
    assertEquals("test", Configuration.of(properties).loadIndex().name(), "another index does not count requests");
  }

  @Test
  void everyTransferModeNeedsPeerAddresses() throws Exception {
    for (String transfer : new String[] {"socket", "call", "notification"}) {
      Properties properties = good();
      properties.setProperty("understudy.replicas", "1=https://a:1/c,2=https://b:1/c,3=https://c:1/c");
      properties.setProperty("understudy.transfer", transfer);
      assertEquals(transfer, Configuration.of(properties).transfer());
      properties.remove("understudy.peers");
      refused(properties, "The key understudy.peers is missing");
    }
  }

  @Test
  void replicasMayShareOneNameForJGroups() throws Exception {
    Properties properties = good();
    properties.setProperty("understudy.channel.jgroups.addresses", "1=replicas.invalid:7,2=replicas.invalid:7,3=replicas.invalid:7");
    assertEquals(3, Configuration.of(properties).channelSettings(List.of()).addresses().size());
    for (String one : List.of("127.0.0.1:7", "[::1]:7", "localhost:7")) {
      refused("understudy.channel.jgroups.addresses", "1=" + one + ",2=" + one + ",3=a:7", "gives two replicas the address " + one);
    }
    refused("understudy.peers", "1=replicas.invalid:7,2=replicas.invalid:7,3=a:7", "gives two replicas the address replicas.invalid:7");
  }

  @Test
  void spreadDaemonsGiveTheServiceThatIsConfigured() throws Exception {
    Properties properties = good();
    assertFalse(Configuration.of(properties).channelSettings(List.of()).safe());
    properties.setProperty("understudy.channel.spread.service", "safe");
    assertTrue(Configuration.of(properties).channelSettings(List.of()).safe());
  }

  @Test
  void nonLoopbackPeersNeedTlsOrExplicitAcceptance() throws Exception {
    Properties properties = good();
    properties.setProperty("understudy.peers", "1=127.0.0.1:2,2=10.0.0.2:2,3=10.0.0.3:2");
    refused(properties, "understudy.peers gives replica 2 the address 10.0.0.2:2, which is not loopback: set");
    properties.setProperty("understudy.peers.plain", "accepted");
    assertNull(Configuration.of(properties).peerTls());
    assertNull(Configuration.of(properties).channelSettings(List.of()).tls());
    properties.remove("understudy.peers.plain");
    properties.setProperty("understudy.peer.key.store", "/no/such/store");
    refused(properties, "The key understudy.peer.trust.store is missing");
    properties.setProperty("understudy.peer.trust.store", "/no/such/store");
    refused(properties, "cannot be used with their passwords");
    String store = SelfSigned.of(directory, "ip:127.0.0.1").store().toString();
    properties.setProperty("understudy.peer.key.store", store);
    properties.setProperty("understudy.peer.trust.store", store);
    refused(properties, "cannot be used with their passwords");
    properties.setProperty("understudy.peer.key.store.password", new String(SelfSigned.PASSWORD));
    properties.setProperty("understudy.peer.trust.store.password", "not this one");
    refused(properties, "cannot be used with their passwords");
    properties.setProperty("understudy.peer.trust.store.password", new String(SelfSigned.PASSWORD));
    assertNotNull(Configuration.of(properties).peerTls());
    assertNotNull(Configuration.of(properties).channelSettings(List.of()).tls());
  }

  @Test
  void replicaThatListsItselfAloneDoesNotStart() {
    Properties properties = good();
    properties.setProperty("understudy.replicas", "1=http://a:1/c");
    properties.setProperty("understudy.peers", "1=127.0.0.1:2");
    refused(properties, "understudy.replicas lists replica 1 alone");
  }

  private static void refused(String key, String value, String said) {
    Properties properties = good();
    properties.setProperty(key, value);
    refused(properties, said);
  }

  private static void refused(Properties properties, String said) {
    ConfigurationException refusal =
        assertThrows(ConfigurationException.class, () -> Configuration.of(properties), said);
    assertTrue(refusal.getMessage().contains(said), refusal.getMessage());
    assertEquals(1, refusal.getMessage().lines().count());
  }

  /** The page is made of the keys: run with -Dunderstudy.write.docs=true to write it, and conf/understudy.properties, anew. */
  @Test
  void thePageSaysWhatTheCodeDoes() throws Exception {
    Path page = Path.of("../docs/configuration.md");
    String found = Files.readString(page);
    // Sections after the table are written by hand.
    int more = found.indexOf("\n## ");
    String table = more < 0 ? found : found.substring(0, more);
    if (Boolean.getBoolean("understudy.write.docs")) {
      Files.writeString(page, page() + found.substring(table.length()));
      ConfigurationFilesTest.write();
      table = page();
    }
    assertEquals(page(), table, "docs/configuration.md is out of date");
    ConfigurationFilesTest.verify();
  }

  /** The properties of the keys that may differ between replicas. */
  static List<String> perReplica() {
    return Stream.of(Key.values()).filter(Key::isPerReplica).map(Key::property).toList();
  }

  @Test
  void aKeyThatMayDifferIsNotDescribedAsTheSame() {
    for (Key key : Key.values()) {
      assertFalse(key.isPerReplica() && key.meaning().contains("he same on every replica"), key.property());
    }
    assertTrue(
        perReplica().containsAll(List.of("understudy.directory", "understudy.wsat.directory", "understudy.channel.spread.daemon")),
        () -> perReplica().toString());
  }

  private static String page() {
    StringBuilder text = new StringBuilder();
    text.append("# Configuration\n\nThe configuration is one file. It is the same on every replica, except for these keys:\n\n");
    perReplica().forEach(key -> text.append("- `").append(key).append("`\n"));
    text.append("\nThe plugin looks for its path in the system property\n`understudy.config`, the environment variable ")
        .append("`UNDERSTUDY_CONFIG` and the context parameter `understudy.config`,\nin this order. If none is set, it reads ")
        .append("`conf/understudy.properties` of Tomcat.\n\nA system property with the name of a key overrides the ")
        .append("environment variable, which overrides the file.\nWith an unknown key or an invalid value, the ")
        .append("replica logs one line and does not start. Among the properties of a Spring Boot application an unknown key is not\n")
        .append("noticed; a file that `understudy.config` names is checked.\n\n")
        .append("| key | environment | default | range | meaning |\n|---|---|---|---|---|\n");
    for (Key key : Key.values()) {
      text.append("| `").append(key.property()).append("` | `").append(key.variable()).append("` | ")
          .append(key.defaultValue() == null ? "none" : "`" + key.defaultValue() + "`").append(" | ")
          .append(key.range()).append(" | ").append(key.meaning()).append(" |\n");
    }
    return text.toString();
  }
}
