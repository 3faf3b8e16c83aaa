package org.understudy.replication.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.understudy.replication.api.Certainty;
import org.understudy.replication.api.SessionId;
import org.understudy.replication.core.Role;
import org.understudy.replication.core.request.Failure;
import org.understudy.replication.core.request.Reply;
import org.understudy.replication.core.request.Request;
import org.understudy.replication.core.request.RequestKey;
import org.understudy.test.Condition;

/** The sync of the primary's journal does not return, on real files and sockets. */
class HangingDiskTest {
  @TempDir Path directory;

  @Test
  void anotherReplicaLeadsAndTheUpdateIsKept() throws Exception {
    try (Group group = Group.withJournals(directory, 3)) {
      int old = group.awaitPrimary(3);
      SessionId session = group.openSession(old);
      RequestKey key = new RequestKey.OfSession(session, 1);
      group.disks.get(old).hang();
      CompletableFuture<Object> first = group.submit(old, key, Request.Kind.UPDATE, 77);
      int next = group.awaitPrimary(2);
      assertNotEquals(old, next);
      Reply again = (Reply) group.ask(next, key, Request.Kind.UPDATE, 1);
      assertEquals(Reply.Status.REPLAYED, again.status());
      assertEquals(77, group.replicas.get(next).state("counter").length);
      group.disks.get(old).answer();
      Object answer = first.get(60, TimeUnit.SECONDS);
      if (answer instanceof Failure failure) {
        assertNotEquals(Certainty.NOT_EXECUTED, failure.code().certainty(), failure.toString());
      }
      assertEquals(next, group.awaitPrimary(3));
      Condition.await("a backup", () -> group.replicas.get(old).role() == Role.BACKUP);
      Condition.await("equal states", () -> group.replicas.values().stream().map(Replica::digest).distinct().count() == 1);
    }
  }
}
