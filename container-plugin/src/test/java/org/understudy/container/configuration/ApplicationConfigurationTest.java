package org.understudy.container.configuration;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Properties;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The settings of several groups in one web application. */
class ApplicationConfigurationTest {
  private static Properties good() {
    Properties properties = new Properties();
    properties.setProperty("understudy.replica", "1");
    properties.setProperty("understudy.replicas", "1=http://a:1/c,2=http://b:1/c,3=http://c:1/c");
    properties.setProperty("understudy.secret", "sixteen characters");
    properties.setProperty("understudy.directory", "/tmp/x");
    properties.setProperty("understudy.groups", "orders, stock");
    properties.setProperty("understudy.group.orders.peers", "1=127.0.0.1:2,2=127.0.0.1:3,3=127.0.0.1:4");
    properties.setProperty("understudy.group.stock.peers", "1=127.0.0.1:5,2=127.0.0.1:6,3=127.0.0.1:7");
    return properties;
  }

  private static Properties with(String key, String value) {
    Properties properties = good();
    properties.setProperty(key, value);
    return properties;
  }

  private static void refused(Properties properties, String why) {
    ConfigurationException refusal = assertThrows(ConfigurationException.class, () -> ApplicationConfiguration.of(properties), why);
    assertTrue(refusal.getMessage().contains(why), refusal.getMessage());
    assertEquals(1, refusal.getMessage().lines().count());
  }

  @Test
  void aGroupHasItsOwnValuesAndElseTheCommonOnes() throws Exception {
    Properties properties = with("understudy.suspect.ms", "700");
    properties.setProperty("understudy.group.stock.suspect.ms", "2000");
    properties.setProperty("understudy.group.stock.secret", "another secret of stock");
    properties.setProperty("understudy.group.stock.endpoints", "/stock");
    ApplicationConfiguration application = ApplicationConfiguration.of(properties);
    assertTrue(application.hasNamedGroups());
    Configuration orders = application.groups().get(0);
    Configuration stock = application.groups().get(1);
    assertEquals(List.of("orders", "stock"), List.of(orders.localGroup(), stock.localGroup()));
    assertEquals(List.of("understudy/orders", "understudy/stock"), List.of(orders.group(), stock.group()));
    assertEquals(List.of(Path.of("/tmp/x/orders"), Path.of("/tmp/x/stock")), List.of(orders.directory(), stock.directory()));
    assertEquals(List.of(700L, 2000L), List.of(orders.suspicion().toMillis(), stock.suspicion().toMillis()));
    assertEquals("sixteen characters", new String(orders.secret(), StandardCharsets.UTF_8));
    assertEquals("another secret of stock", new String(stock.secret(), StandardCharsets.UTF_8));
    assertEquals(Set.of(), orders.endpoints());
    assertEquals(Set.of("/stock"), stock.endpoints());
  }

  @Test
  void withoutGroupsThereIsOneWithoutAName() throws Exception {
    Properties properties = good();
    for (String key : new String[] {"understudy.groups", "understudy.group.orders.peers", "understudy.group.stock.peers"}) {
      properties.remove(key);
    }
    properties.setProperty("understudy.peers", "1=127.0.0.1:2,2=127.0.0.1:3,3=127.0.0.1:4");
    ApplicationConfiguration application = ApplicationConfiguration.of(properties);
    assertFalse(application.hasNamedGroups());
    assertEquals("understudy", application.only().group());
    assertEquals(Path.of("/tmp/x"), application.only().directory());
  }

  @Test
  void aGroupTakesOverTheRecordsOfAnApplicationWithoutGroups() throws Exception {
    Properties properties = with("understudy.group.orders.group", "understudy");
    properties.setProperty("understudy.group.orders.directory", "/tmp/x");
    Configuration orders = ApplicationConfiguration.of(properties).groups().get(0);
    assertEquals("understudy", orders.group());
    assertEquals(Path.of("/tmp/x"), orders.directory());
  }

  @Test
  void noServiceCallsThePeersOfAnotherGroup() throws Exception {
    OwnServers servers = OwnServers.of(ApplicationConfiguration.of(good()).groups().get(0));
    assertFalse(servers.without(address -> true).test(URI.create("http://127.0.0.1:6/")));
    assertTrue(servers.without(address -> true).test(URI.create("http://127.0.0.1:8/")));
  }

  @Test
  void noServiceCallsAGroupChannel() throws Exception {
    Properties properties = with("understudy.group.stock.channel.jgroups.addresses", "1=127.0.0.1:8,2=127.0.0.1:9,3=h:10");
    properties.setProperty("understudy.group.orders.strategy", "group");
    properties.setProperty("understudy.group.orders.channel", "spread");
    OwnServers servers = OwnServers.of(ApplicationConfiguration.of(properties).groups().get(0));
    for (String address : new String[] {"http://127.0.0.1:8/", "http://h:10/", "http://localhost:4803/"}) {
      assertFalse(servers.without(any -> true).test(URI.create(address)), address);
    }
    assertTrue(servers.without(any -> true).test(URI.create("http://127.0.0.1:11/")));
  }

  @Test
  void aSourceThatCannotListItsKeysIsAskedForThoseOfEachGroup() throws Exception {
    Properties good = good();
    good.setProperty("understudy.group.stock.peers.plain", "accepted");
    assertEquals(good, ApplicationConfiguration.properties(good::getProperty));
  }

  @Test
  void groupsDoNotShareWhatBelongsToOne() {
    refused(with("understudy.group.stock.peers", "1=127.0.0.1:2,2=127.0.0.1:6,3=127.0.0.1:7"),
        "The groups orders and stock have the same understudy.peers, 127.0.0.1:2. Give each its own, by understudy.group.orders.peers and "
            + "understudy.group.stock.peers");
    Properties channels = with("understudy.channel.jgroups.addresses", "1=127.0.0.1:8,2=127.0.0.1:9,3=127.0.0.1:10");
    refused(channels, "The groups orders and stock have the same understudy.channel.jgroups.addresses, 127.0.0.1:");
    refused(with("understudy.group.stock.directory", "/tmp/y/../x/orders"), "have the same understudy.directory, /tmp/x/orders");
    refused(with("understudy.group.stock.group", "understudy/orders"), "have the same understudy.group, understudy/orders");
    Properties common = good();
    common.remove("understudy.group.orders.peers");
    common.remove("understudy.group.stock.peers");
    refused(common, "Group orders: The key understudy.peers is missing");
    common.setProperty("understudy.peers", "1=127.0.0.1:2,2=127.0.0.1:3,3=127.0.0.1:4");
    refused(common, "have the same understudy.peers");
  }

  @Test
  void keysOfGroupsAreChecked() {
    refused(with("understudy.group.stok.peers", "x"), "understudy.groups lists orders, stock but not stok");
    refused(with("understudy.group.stock.pears", "x"), "is unknown; did you mean understudy.group.stock.peers?");
    refused(with("understudy.group.stock", "x"), "The key understudy.group.stock is unknown");
    refused(with("understudy.group.stock.held.bytes", "auto"), "all groups of the web application share this setting");
    refused(with("understudy.group.stock.suspect.ms", "20"), "Group stock: understudy.suspect.ms is 20");
    refused(with("understudy.endpoints", "*"), "understudy.endpoints names no group");
    Properties without = with("understudy.peers", "1=127.0.0.1:2,2=127.0.0.1:3,3=127.0.0.1:4");
    without.remove("understudy.groups");
    refused(without, "understudy.groups is not set");
  }

  @Test
  void namesOfGroupsAreChecked() {
    for (String name : new String[] {"Orders", "1st", "a/b", "../x", "a b", "a".repeat(33), ""}) {
      refused(with("understudy.groups", "orders,stock," + name), "understudy.groups holds \"" + name + "\"");
    }
    refused(with("understudy.groups", "orders,stock,orders"), "lists the group orders twice");
    String many = IntStream.rangeClosed(1, 9).mapToObj(i -> "g" + i).collect(Collectors.joining(","));
    refused(with("understudy.groups", many), "lists 9 groups; one web application can hold 8");
  }

  @Test
  void whatThePluginPublishesHasOneGroup() throws Exception {
    ApplicationConfiguration application = ApplicationConfiguration.of(good());
    ConfigurationException refusal = assertThrows(ConfigurationException.class, application::only);
    assertTrue(refusal.getMessage().contains("what the plugin publishes itself has one group"), refusal.getMessage());
  }
}
