package org.understudy.replication.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.core.Role;
import org.understudy.replication.core.request.Reply;
import org.understudy.replication.core.request.Request;
import org.understudy.replication.runtime.management.ReplicaHealth;
import org.understudy.replication.runtime.peer.FrameSizes;
import org.understudy.test.Condition;

/** Links that are broken in one direction for the whole test. */
class BrokenLinkTest {
  @TempDir Path directory;

  /** On a machine that stops for as long as the suspicion time, the third replica could elect the senior backup, and rightly. */
  @Test
  void backupWithoutMessagesOfThePrimaryIsExcluded() throws Exception {
    try (Group group = new Group(directory, 3, Duration.ofSeconds(4), FrameSizes.DEFAULTS)) {
      int primary = group.awaitPrimary(3);
      int senior = group.replicas.get(primary).view().senior().number();
      group.channels.get(primary).cutTo(senior);
      Object answer = group.ask(primary, null, Request.Kind.UPDATE, 100);
      Replica replica = group.replicas.get(primary);
      assertInstanceOf(Reply.class, answer, () -> answer + " in " + replica.view());
      assertEquals(2, replica.view().members().size());
      assertFalse(replica.view().contains(new ReplicaId(senior)), replica.view().toString());
    }
  }

  @Test
  void isolatedPrimaryIsReplacedAndNotWritable() throws Exception {
    try (Group group = new Group(directory, 3)) {
      int deaf = group.awaitPrimary(3);
      Condition.await("the first lease", () -> group.replicas.get(deaf).status().writable());
      for (int other : List.copyOf(group.replicas.keySet())) {
        if (other != deaf) {
          group.channels.get(other).cutTo(deaf);
        }
      }
      int next = group.awaitPrimary(2);
      assertNotEquals(deaf, next);
      assertInstanceOf(Reply.class, group.ask(next, null, Request.Kind.UPDATE, 100));
      Replica old = group.replicas.get(deaf);
      Condition.await("the deaf primary to lose its authority", () -> !old.status().writable());
      assertEquals(Role.PRIMARY, old.role(), "it cannot know more");
    }
  }

  /** The third replica passes on what the two send each other; clients' requests take no detour. */
  @Test
  void cutLinkIsBypassedAndTheReplicaBehindItIsNotReady() throws Exception {
    try (Group group = Group.withRelays(directory, 3, Duration.ofSeconds(4))) {
      int primary = group.awaitPrimary(3);
      ReplicaId behind = group.replicas.get(primary).view().senior();
      group.channels.get(primary).cutTo(behind.number());
      group.channels.get(behind.number()).cutTo(primary);
      int middle = 1 + 2 + 3 - primary - behind.number();
      Replica replica = group.replicas.get(primary);
      List<String> detour = List.of("replica " + behind + " through replica " + middle);
      Condition.await("the detour", () -> replica.detours().equals(detour));
      Condition.await("the replica behind the cut to be a member", () -> replica.view().contains(behind));
      assertInstanceOf(Reply.class, group.ask(primary, null, Request.Kind.UPDATE, 100));
      Replica member = group.replicas.get(behind.number());
      Condition.await("the update to arrive", () -> member.status().received() >= replica.status().stable());
      ReplicaHealth health = new ReplicaHealth(behind, member, List::of);
      Condition.await("the replica not to be ready", () -> !health.passes("/ready"));
      assertEquals(Role.BACKUP, member.role());
    }
  }
}
