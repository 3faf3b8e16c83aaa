package org.understudy.replication.runtime;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.understudy.replication.api.SessionId;
import org.understudy.replication.core.request.Reply;
import org.understudy.replication.core.request.Request;
import org.understudy.replication.core.request.RequestKey;

/** Replicas over real sockets and files, which the simulation does not cover. */
class ReplicaGroupTest {
  @TempDir Path directory;

  @Test
  void groupSurvivesItsPrimaryAndReadmitsIt() throws Exception {
    try (Group group = new Group(directory, 3)) {
      int first = group.awaitPrimary(3);
      SessionId session = group.openSession(first);
      Reply reply = (Reply) group.ask(first, new RequestKey.OfSession(session, 1), Request.Kind.UPDATE, 100_000);
      group.stop(first);
      int second = group.awaitPrimary(2);
      Reply again =
          assertInstanceOf(
              Reply.class, group.ask(second, new RequestKey.OfSession(session, 1), Request.Kind.UPDATE, 1));
      assertEquals(Reply.Status.REPLAYED, again.status());
      assertArrayEquals(reply.response().body(), again.response().body());
      group.start(first);
      int third = group.awaitPrimary(3);
      assertEquals(second, third, "a joiner's arrival moves nobody");
      group.stop(third);
      int fourth = group.awaitPrimary(2);
      again =
          assertInstanceOf(
              Reply.class, group.ask(fourth, new RequestKey.OfSession(session, 1), Request.Kind.UPDATE, 1));
      assertArrayEquals(reply.response().body(), again.response().body());
      assertEquals(100_000, group.replicas.get(fourth).state("counter").length);
    }
  }

  @Test
  void failingListenersDoNotKeepOthersFromTheView() throws Exception {
    try (Group group = new Group(directory, 3)) {
      int first = group.awaitPrimary(3);
      group.replicas.values().forEach(replica -> replica.listen(assignment -> {
        throw new IllegalStateException("a listener's own trouble");
      }));
      SessionId session = group.openSession(first);
      group.stop(first);
      int second = group.awaitPrimary(2);
      assertInstanceOf(Reply.class, group.ask(second, new RequestKey.OfSession(session, 1), Request.Kind.UPDATE, 5));
    }
  }

  @Test
  void twoReplicasCannotShareADirectory() throws Exception {
    try (Group group = new Group(directory, 1)) {
      group.awaitPrimary(1);
      IOException refused = assertThrows(IOException.class, () -> group.start(1));
      assertEquals(true, refused.getMessage().contains("belongs to a running replica"), refused.getMessage());
    }
  }
}
