package org.understudy.replication.runtime.peer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.runtime.channel.GroupChannelException;
import org.understudy.test.channel.MemoryGroup;
import org.understudy.test.channel.Received;
import org.understudy.test.channel.Word;

/** A channel that fails is opened again, and its replica is told that it is without one meanwhile. */
class ReopenedChannelTest {
  private static final ReplicaId ONE = new ReplicaId(1);

  private final MemoryGroup group = new MemoryGroup();
  private final Received received = new Received();

  @Test
  void failedChannelIsReplaced() throws Exception {
    try (ReopenedChannel channel = new ReopenedChannel(ONE, () -> group.channel(ONE), 1)) {
      channel.join(received);
      received.await("view [1]");
      channel.multicast(new Word("before"));
      received.await("1:before");
      group.expel(ONE);
      received.await("view []");
      received.await("the next channel", events -> events.lastIndexOf("view [1]") > events.indexOf("view []"));
      channel.multicast(new Word("after"));
      received.await("1:after");
      assertEquals(List.of(1L, 2L, 3L), received.views().stream().map(view -> view.number()).toList());
    }
    int events = received.events().size();
    group.expel(ONE);
    assertEquals(events, received.events().size());
  }

  @Test
  void openingIsRepeated() throws Exception {
    AtomicInteger attempts = new AtomicInteger();
    try (ReopenedChannel channel = new ReopenedChannel(ONE, () -> {
      if (attempts.incrementAndGet() == 2) {
        throw new GroupChannelException("The port is in use.", null);
      }
      return group.channel(ONE);
    }, 1)) {
      channel.join(received);
      received.await("view [1]");
      group.expel(ONE);
      received.await("view []");
      received.await("the third channel", events -> events.lastIndexOf("view [1]") > events.indexOf("view []"));
      assertEquals(3, attempts.get());
    }
  }

  @Test
  void firstFailureToOpenIsReported() {
    assertThrows(GroupChannelException.class, () -> new ReopenedChannel(ONE, () -> {
      throw new GroupChannelException("A setting is missing.", null);
    }));
  }
}
