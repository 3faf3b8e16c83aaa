package org.understudy.client;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.understudy.counter.CounterPortType;
import org.understudy.replication.api.VersionHandles;

/** What a client has seen goes with its requests, and from one client to another. */
@Timeout(60)
class VersionsTest {
  private final FakeGroup replicas = new FakeGroup(3);
  private final FaultTolerantGroup first = FaultTolerant.group(replicas.config().build());
  private final FaultTolerantGroup second = FaultTolerant.group(replicas.config().build());

  @AfterEach
  void end() {
    first.close();
    second.close();
    replicas.close();
  }

  private static CounterPortType counter(FaultTolerantGroup of) {
    return of.client(CounterPortType.class, CounterPortType.class.getResource("/wsdl/counter.wsdl"));
  }

  private Received last() {
    return replicas.replica(1).calls.get(replicas.replica(1).calls.size() - 1);
  }

  @Test
  void aClientTakesOverWhatAnotherHasSeen() throws Exception {
    counter(first).add(5);
    counter(first).add(2);
    second.mergeVersions(VersionHandles.parse(first.versions().toString()));
    counter(second).add(1);
    assertEquals("1.2", last().text("VersionHandle"));
    assertEquals("1.3", second.versions().toString());
    second.mergeVersions(first.versions());
    assertEquals("1.3", second.versions().toString());
  }

  @Test
  void recreatedGroupStartsAgain() throws Exception {
    first.mergeVersions(VersionHandles.parse("0.700"));
    counter(first).add(5);
    assertEquals("1.1", first.versions().toString());
  }

  @Test
  void otherScopesStandInElementsOfTheirOwn() throws Exception {
    replicas.alsoTells("<ur:ScopedHandle>orders:1.7</ur:ScopedHandle>");
    counter(first).add(5);
    replicas.alsoTells("<ur:ScopedHandle>orders:1.6</ur:ScopedHandle><ur:ScopedHandle>bills:2.1</ur:ScopedHandle>");
    counter(first).add(5);
    assertEquals("1.2/orders:1.7/bills:2.1", first.versions().toString());
    counter(first).add(5);
    assertEquals("1.2", last().text("VersionHandle"));
    assertEquals("orders:1.7", last().text("ScopedHandle"));
  }
}
