package org.understudy.wsrf.servicegroup;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import javax.xml.namespace.QName;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.understudy.container.SingleReplica;
import org.understudy.container.execution.ReplicatedUpdates;
import org.understudy.container.service.Lamp;
import org.understudy.replication.runtime.Replica;
import org.understudy.test.Condition;
import org.understudy.wsrf.lifetime.Lifetimes;
import org.understudy.wsrf.notification.NotificationSink;
import org.understudy.wsrf.resource.ResourceTransaction;
import org.understudy.wsrf.resource.Resources;

/** What is told of a group's entries. */
class ServiceGroupNotesTest {
  private final List<String> told = new CopyOnWriteArrayList<>();
  private Replica replica;
  private ReplicatedUpdates updates;
  private Lifetimes lifetimes;
  private ServiceGroup group;

  @BeforeEach
  void open() throws Exception {
    replica = SingleReplica.open();
    Resources resources = new Resources(replica, true, Lamp::new, "http://here/services/Lamp", 1_000);
    updates = new ReplicatedUpdates(replica, resources, true, 1_000);
    lifetimes = new Lifetimes(replica.duties(), updates, Clock.systemUTC());
    replica.observe(lifetimes);
    group = new ServiceGroup("http://here", "any", 10, lifetimes);
    replica.observe(group.follower());
    group.tell(
        new NotificationSink() {
          @Override
          public boolean wanted(ResourceTransaction transaction, String producer, QName topic) {
            return producer.equals(ServiceGroup.KEY) && topic.equals(ServiceGroup.MODIFICATION);
          }

          @Override
          public void publish(ResourceTransaction transaction, String producer, QName topic, byte[] message) {
            told.add(new String(message, StandardCharsets.UTF_8));
          }
        });
  }

  @AfterEach
  void close() {
    lifetimes.close();
    updates.close();
    replica.close();
  }

  private void update(String key, Consumer<ResourceTransaction> change) {
    CompletableFuture<Boolean> done = new CompletableFuture<>();
    updates.run(key, transaction -> {
      change.accept(transaction);
      return true;
    }, () -> done.complete(true), failure -> done.complete(false));
    assertEquals(true, done.orTimeout(30, TimeUnit.SECONDS).join());
  }

  @Test
  void additionAndRemovalNotificationsNameTheMember() {
    Entry entry = new Entry("<a/>", "<b/>");
    update(ServiceGroup.KEY, transaction -> group.add(transaction, "entry/1", entry, null));
    update("entry/1", lifetimes::destroy);
    assertEquals(2, told.size());
    assertTrue(told.get(0).startsWith("<sg:EntryAdditionNotification "), told.get(0));
    assertTrue(told.get(0).contains("http://here/services/ServiceGroupEntry/1</wsa:Address>"), told.get(0));
    assertTrue(told.get(0).contains("><a/></sg:MemberServiceEPR>"), told.get(0));
    assertTrue(told.get(0).contains("><b/></sg:Content>"), told.get(0));
    assertTrue(told.get(1).startsWith("<sg:EntryRemovalNotification "), told.get(1));
    assertTrue(told.get(1).endsWith(">Destroyed</sg:Reason></sg:EntryRemovalNotification>"), told.get(1));
  }

  @Test
  void expiredEntryIsNotified() {
    update(
        ServiceGroup.KEY,
        transaction -> group.add(transaction, "entry/1", new Entry("<a/>", ""), Instant.now().plusMillis(50)));
    Condition.await(() -> told.size() == 2);
    assertTrue(told.get(1).endsWith(">Expired</sg:Reason></sg:EntryRemovalNotification>"), told.get(1));
  }
}
