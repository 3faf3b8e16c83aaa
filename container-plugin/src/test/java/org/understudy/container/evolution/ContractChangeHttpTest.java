package org.understudy.container.evolution;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import jakarta.xml.ws.Holder;
import jakarta.xml.ws.WebServiceException;
import java.net.URI;
import java.net.URL;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.apache.cxf.jaxws.JaxWsProxyFactoryBean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.understudy.client.FaultTolerance;
import org.understudy.client.FaultTolerant;
import org.understudy.client.FaultTolerantGroup;
import org.understudy.container.ServiceCluster;
import org.understudy.test.Condition;
import org.understudy.test.strategy.ForEachStrategy;
import org.understudy.test.strategy.Strategies;

/** Clients with the interface of another version of the contract, with the stub and without it. */
@ForEachStrategy
class ContractChangeHttpTest {
  private static List<URI> addresses(ServiceCluster site) {
    return IntStream.rangeClosed(1, 3).mapToObj(number -> site.uri(number, site.service())).toList();
  }

  private static URL wsdl(ServiceCluster site) throws Exception {
    return URI.create(site.uri(site.primary(), site.service()) + "?wsdl").toURL();
  }

  private static <T> T plain(ServiceCluster site, Class<T> type) {
    JaxWsProxyFactoryBean factory = new JaxWsProxyFactoryBean();
    factory.setAddress(site.uri(site.backup(), site.service()).toString());
    return factory.create(type);
  }

  /** Checks that a call fails with this sentence and executes nothing. */
  private static void refused(String expected, Executable call) {
    int before = DeskItems.UPDATES.get();
    WebServiceException refusal = assertThrows(WebServiceException.class, call);
    assertTrue(refusal.getMessage().contains(expected), refusal.getMessage());
    assertEquals(before, DeskItems.UPDATES.get());
  }

  /** With group, a run at a member that has not applied the update before it is undone and repeated. The items show that once. */
  private static void executed(int updates, int runs) {
    if (Strategies.current().equals("group")) {
      assertTrue(runs >= updates, runs + " runs");
    } else {
      assertEquals(updates, runs);
    }
  }

  @Test
  void anOldClientUsesANewService() throws Exception {
    try (ServiceCluster site = ServiceCluster.shared(NewDeskService.class, 3, Map.of());
        FaultTolerantGroup group = FaultTolerant.group(FaultTolerance.ofDefaults(addresses(site)))) {
      OldDesk read = group.client(OldDesk.class, wsdl(site));
      OldDesk own = group.client(OldDesk.class, null);
      OldDesk plain = plain(site, OldDesk.class);
      int before = DeskItems.UPDATES.get();
      assertEquals(1, read.put("a"));
      assertEquals(2, own.put("b"));
      assertEquals(3, plain.put("c"));
      // The response has an element that the interface lacks.
      assertEquals(3, read.count());
      assertEquals(3, own.count());
      executed(3, DeskItems.UPDATES.get() - before);
      // It must not arrive as a colour.
      refused("The call of mark was not sent: the service's contract has no element size", () -> read.mark("a", "big"));
      refused("unexpected element (uri:\"\", local:\"size\")", () -> own.mark("a", "big"));
      AsyncDesk later = group.client(AsyncDesk.class, wsdl(site));
      CompletableFuture<Integer> handled = new CompletableFuture<>();
      assertEquals(4, later.putAsync("later").get().getReturn());
      later.putAsync("handled", response -> handled.complete(1)).get();
      assertEquals(1, handled.get());
      assertEquals(6, later.put("now"));
      refused("for web method drop", () -> read.drop("a"));
      String unknown = "The service has no operation {urn:desk}drop. Nothing was executed.";
      refused(unknown, () -> own.drop("a"));
      refused(unknown, () -> plain.drop("a"));

      int first = site.primary();
      site.stop(first);
      int between = DeskItems.UPDATES.get();
      assertEquals(7, read.put("d"));
      assertEquals(8, own.put("e"));
      refused(unknown, () -> own.drop("a"));
      refused(unknown, () -> plain(site, OldDesk.class).drop("a"));
      assertEquals("a; b; c; later; handled; now; d; e", read.list());
      executed(2, DeskItems.UPDATES.get() - between);
      site.start(first);
      site.awaitReady(first);
    }
  }

  @Test
  void aNewClientUsesAnOldService() throws Exception {
    try (ServiceCluster site = ServiceCluster.shared(OldDeskService.class, 3, Map.of());
        FaultTolerantGroup group = FaultTolerant.group(FaultTolerance.ofDefaults(addresses(site)))) {
      NewDesk read = group.client(NewDesk.class, wsdl(site));
      NewDesk own = group.client(NewDesk.class, null);
      NewDesk plain = plain(site, NewDesk.class);
      assertEquals(1, read.put("a", null));
      assertEquals(2, own.put("b", null));
      assertEquals(3, plain.put("c", null));
      Holder<String> unit = new Holder<>();
      assertEquals(3, own.count(unit));
      // A value that the service does not take is not lost without a word.
      refused("The call of put was not sent: the service's contract has no element note", () -> read.put("d", "new"));
      String element = "unexpected element (uri:\"\", local:\"note\")";
      refused(element, () -> own.put("d", "new"));
      refused(element, () -> plain.put("d", "new"));
      refused("for web method rename", () -> read.rename("a", "b"));
      String unknown = "The service has no operation {urn:desk}rename. Nothing was executed.";
      refused(unknown, () -> own.rename("a", "b"));
      refused(unknown, () -> plain.rename("a", "b"));

      int first = site.primary();
      site.stop(first);
      Condition.await(() -> site.primary() != first);
      refused(unknown, () -> own.rename("a", "b"));
      assertEquals(4, read.put("d", null));
      assertEquals("a; b; c; d", own.list());
      site.start(first);
      site.awaitReady(first);
    }
  }

  @Test
  void aClientOfAnotherNamespaceLearnsTheServices() throws Exception {
    try (ServiceCluster site = ServiceCluster.shared(MovedDeskService.class, 3, Map.of());
        FaultTolerantGroup group = FaultTolerant.group(FaultTolerance.ofDefaults(addresses(site)))) {
      IllegalArgumentException other =
          assertThrows(IllegalArgumentException.class, () -> group.client(OldDesk.class, wsdl(site)));
      assertTrue(other.getMessage().contains("no SOAP port of {urn:desk}Desk"), other.getMessage());
      String moved =
          "The service has no operation {urn:desk}put; it has one of this name in urn:desk:2. Nothing was executed.";
      refused(moved, () -> group.client(OldDesk.class, null).put("a"));
      refused(moved, () -> plain(site, OldDesk.class).put("a"));
      assertEquals(1, plain(site, MovedDesk.class).put("a", "note"));
    }
  }
}
