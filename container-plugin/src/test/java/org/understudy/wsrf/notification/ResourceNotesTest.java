package org.understudy.wsrf.notification;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import javax.xml.namespace.QName;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.understudy.container.SingleReplica;
import org.understudy.container.execution.ReplicatedUpdates;
import org.understudy.container.service.Lamp;
import org.understudy.replication.runtime.Replica;
import org.understudy.wsrf.lifetime.LifetimeProperties;
import org.understudy.wsrf.property.AnnotatedProperties;
import org.understudy.wsrf.property.ResourceDocument;
import org.understudy.wsrf.resource.ResourceTransaction;
import org.understudy.wsrf.resource.Resources;
import org.understudy.wsrf.resource.TerminationTime;

/** Which updates are told, and how often anything is looked at for it. */
class ResourceNotesTest {
  private static final QName LEVEL = new QName("urn:lamps", "Level");
  /** Finer than a millisecond, as a clock may be. */
  private static final Instant NOW = Instant.parse("2026-05-04T03:02:01.000500Z");
  private static final QName TERMINATION_TIME = new QName("http://docs.oasis-open.org/wsrf/rl-2", "TerminationTime");

  private final Set<QName> wanted = new HashSet<>();
  private final List<String> told = new ArrayList<>();
  private final AtomicInteger rendered = new AtomicInteger();
  private Replica replica;
  private ReplicatedUpdates updates;
  private String id;

  @BeforeEach
  void open() throws Exception {
    replica = SingleReplica.open();
    Resources resources = new Resources(replica, true, Lamp::new, "http://here/services/Lamp", 1_000);
    updates = new ReplicatedUpdates(replica, resources, true, 1_000);
    AnnotatedProperties properties = new AnnotatedProperties(Lamp.class);
    ResourceDocument document =
        new ResourceDocument(new QName("urn:lamps", "Lamp"), transaction -> transaction.object() != null, transaction -> null)
            .add(new Counting(properties))
            .add(new LifetimeProperties());
    resources.listen(new ResourceNotes(key -> document, new Recorder(), Clock.fixed(NOW, ZoneOffset.UTC),
        transaction -> TerminationTime.isDue(transaction, transaction.key(), NOW)));
    update(null, transaction -> {
      id = transaction.create(new Lamp(), null);
      return true;
    });
  }

  @AfterEach
  void close() {
    updates.close();
    replica.close();
  }

  /** Counts how often a value is rendered. */
  private final class Counting implements org.understudy.wsrf.property.PropertySource {
    private final AnnotatedProperties behind;

    Counting(AnnotatedProperties behind) {
      this.behind = behind;
    }

    @Override
    public List<QName> names() {
      return behind.names();
    }

    @Override
    public void append(QName name, ResourceTransaction transaction, Instant now, StringBuilder to) {
      rendered.incrementAndGet();
      behind.append(name, transaction, now, to);
    }
  }

  /** Takes what the test wants. */
  private final class Recorder implements NotificationSink {
    @Override
    public boolean wanted(ResourceTransaction transaction, String producer, QName topic) {
      return wanted.contains(topic);
    }

    @Override
    public void publish(ResourceTransaction transaction, String producer, QName topic, byte[] message) {
      told.add(producer + " " + topic.getLocalPart() + " " + new String(message, StandardCharsets.UTF_8));
    }
  }

  private void update(String key, Predicate<ResourceTransaction> change) {
    CompletableFuture<Boolean> done = new CompletableFuture<>();
    updates.run(key, change, () -> done.complete(true), failure -> done.complete(false));
    done.orTimeout(30, TimeUnit.SECONDS).join();
  }

  private void level(int level) {
    update(id, transaction -> {
      ((Lamp) transaction.object()).setLevel(level);
      return true;
    });
  }

  @Test
  void changeNotificationHasBothValues() {
    wanted.add(LEVEL);
    level(3);
    assertEquals(
        List.of(id + " Level <rp:ResourcePropertyValueChangeNotification xmlns:rp=\"http://docs.oasis-open.org/wsrf/rp-2\">"
            + "<rp:OldValues><p:Level xmlns:p=\"urn:lamps\">0</p:Level></rp:OldValues>"
            + "<rp:NewValues><p:Level xmlns:p=\"urn:lamps\">3</p:Level></rp:NewValues>"
            + "</rp:ResourcePropertyValueChangeNotification>"),
        told);
  }

  @Test
  void noValueIsNil() {
    wanted.add(new QName("urn:lamps", "Owner"));
    update(id, transaction -> {
      ((Lamp) transaction.object()).setOwner("me");
      return true;
    });
    assertTrue(
        told.get(0)
            .contains("<rp:OldValues xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\" xsi:nil=\"true\"/>"),
        told.toString());
    assertTrue(told.get(0).contains(">me<"), told.toString());
  }

  @Test
  void unchangedRolledBackOrUnsubscribedPropertiesAreNotNotified() {
    wanted.add(LEVEL);
    level(0);
    update(id, transaction -> {
      ((Lamp) transaction.object()).setLevel(9);
      throw new IllegalStateException("the test's");
    });
    level(0);
    wanted.clear();
    level(5);
    assertEquals(List.of(), told);
  }

  @Test
  void requestRendersOnlySubscribedPropertiesOnce() {
    level(1);
    assertEquals(0, rendered.get());
    wanted.add(LEVEL);
    level(2);
    assertEquals(2, rendered.get());
    level(3);
    level(4);
    assertEquals(4, rendered.get());
    assertEquals(3, told.size());
  }

  @Test
  void changeWithoutSubscribersIsNotNotifiedLater() {
    wanted.add(LEVEL);
    level(1);
    wanted.clear();
    level(2);
    wanted.add(LEVEL);
    told.clear();
    level(3);
    assertTrue(told.get(0).contains(">2</p:Level></rp:OldValues>"), told.toString());
  }

  @Test
  void aTerminationTimeIsAPropertyThatChanges() {
    wanted.add(TERMINATION_TIME);
    update(id, transaction -> {
      TerminationTime.set(transaction, id, Instant.parse("2087-01-01T00:00:00Z"));
      return true;
    });
    assertEquals(1, told.size());
    assertTrue(told.get(0).contains(">2087-01-01T00:00:00Z<"), told.toString());
  }

  @Test
  void endIsNotified() {
    wanted.add(ResourceNotes.TERMINATION);
    wanted.add(LEVEL);
    update(id, transaction -> {
      transaction.destroy();
      return true;
    });
    assertEquals(1, told.size());
    assertTrue(told.get(0).startsWith(id + " ResourceTermination <rl:TerminationNotification "), told.toString());
    assertTrue(told.get(0).contains(">The resource was destroyed.<"), told.toString());
  }

  @Test
  void endOfALifetimeIsNotifiedAsExpiry() {
    wanted.add(ResourceNotes.TERMINATION);
    update(id, transaction -> {
      TerminationTime.set(transaction, id, NOW);
      return true;
    });
    update(id, transaction -> {
      transaction.destroy();
      return true;
    });
    assertEquals(1, told.size());
    assertTrue(told.get(0).contains(">The termination time was reached.<"), told.toString());
    assertTrue(told.get(0).contains(">2026-05-04T03:02:01Z<"), told.toString());
  }
}
