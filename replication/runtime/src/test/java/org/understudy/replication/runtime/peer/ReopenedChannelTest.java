package org.understudy.replication.runtime.peer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.core.GroupView;
import org.understudy.replication.core.Message;
import org.understudy.replication.core.channel.GroupChannel;
import org.understudy.replication.core.channel.GroupReceiver;
import org.understudy.replication.runtime.channel.GroupChannelException;
import org.understudy.test.channel.MemoryGroup;
import org.understudy.test.channel.Received;
import org.understudy.test.channel.Word;

/** A channel that fails is opened again, and its replica is told that it is without one meanwhile. */
class ReopenedChannelTest {
  private static final ReplicaId ONE = new ReplicaId(1);

  private final MemoryGroup group = new MemoryGroup();
  private Received received = new Received();

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

  /** Its thread would end, and nothing would open the channel again. */
  @Test
  void errorOfTheReceiverDoesNotEndTheReopening() throws Exception {
    AtomicInteger errors = new AtomicInteger(1);
    GroupReceiver failing =
        new GroupReceiver() {
          @Override
          public void delivered(ReplicaId from, Message message) {
            received.delivered(from, message);
          }

          @Override
          public void viewInstalled(GroupView view) {
            if (view.members().isEmpty() && errors.getAndDecrement() > 0) {
              throw new NoClassDefFoundError("for the test");
            }
            received.viewInstalled(view);
          }

          @Override
          public void failed(String why, Throwable cause) {
            received.failed(why, cause);
          }
        };
    AtomicInteger attempts = new AtomicInteger();
    GroupChannel unable = new Unable(new IllegalStateException("for the test"), false);
    try (ReopenedChannel channel =
        new ReopenedChannel(ONE, () -> attempts.incrementAndGet() == 1 ? unable : group.channel(ONE), 1)) {
      channel.join(failing);
      received.await("view [1]");
    }
  }

  /** A channel that cannot join, for example because no thread can be created. */
  private static final class Unable implements GroupChannel {
    private final Throwable failure;
    private final boolean reports;
    private volatile boolean closed;

    /** @param reports whether it also reports its failure to the receiver */
    Unable(Throwable failure, boolean reports) {
      this.failure = failure;
      this.reports = reports;
    }

    @Override
    public String name() {
      return "unable";
    }

    @Override
    public void join(GroupReceiver receiver) {
      receiver.viewInstalled(new GroupView(1, List.of(ONE, new ReplicaId(2))));
      if (reports) {
        receiver.failed("it cannot join", null);
      }
      if (failure instanceof Error error) {
        throw error;
      }
      throw (RuntimeException) failure;
    }

    @Override
    public void multicast(Message message) {
      throw new AssertionError("A channel that has not joined is used.");
    }

    @Override
    public void close() {
      closed = true;
      if (failure instanceof Error error) {
        throw error;
      }
      throw (RuntimeException) failure;
    }
  }

  /** Opens the channels in turn, the last one whenever there is none left, and counts. */
  private ReopenedChannel channel(AtomicInteger attempts, Object... unable) throws GroupChannelException {
    return new ReopenedChannel(ONE, () -> {
      int attempt = attempts.getAndIncrement();
      if (attempt < unable.length && unable[attempt] instanceof Unable channel) {
        return channel;
      }
      if (attempt < unable.length && unable[attempt] instanceof Error error) {
        throw error;
      }
      return group.channel(ONE);
    }, 1);
  }

  private void awaitLastView(String what) {
    received.await(what, events -> events.contains("view []") && events.get(events.size() - 1).equals("view [1]"));
  }

  private void serves(ReopenedChannel channel, AtomicInteger attempts, int expected) {
    awaitLastView("the next channel");
    channel.multicast(new Word("served"));
    received.await("1:served");
    assertEquals(expected, attempts.get());
  }

  @Test
  void channelThatCannotJoinIsReplaced() throws Exception {
    List<Throwable> failures = List.of(new IllegalStateException("Disk full."), new OutOfMemoryError("unable to create native thread"));
    for (int i = 0; i < 4; i++) {
      AtomicInteger attempts = new AtomicInteger();
      Unable unable = new Unable(failures.get(i / 2), i % 2 == 0);
      try (ReopenedChannel channel = channel(attempts, "joins", unable)) {
        channel.join(received);
        received.await("view [1]");
        group.expel(ONE);
        serves(channel, attempts, 3);
        assertTrue(unable.closed);
      }
      received = new Received();
    }
  }

  @Test
  void channelThatCannotJoinForTheFirstTimeIsReplaced() throws Exception {
    AtomicInteger attempts = new AtomicInteger();
    try (ReopenedChannel channel = channel(attempts, new Unable(new IllegalStateException("Disk full."), false))) {
      channel.join(received);
      serves(channel, attempts, 2);
    }
  }

  @Test
  void errorOfOpeningEndsNoReopening() throws Exception {
    AtomicInteger attempts = new AtomicInteger();
    try (ReopenedChannel channel = channel(attempts, "joins", new OutOfMemoryError("unable to create native thread"))) {
      channel.join(received);
      received.await("view [1]");
      group.expel(ONE);
      serves(channel, attempts, 3);
    }
  }

  @Test
  void firstFailureToOpenIsReported() {
    assertThrows(GroupChannelException.class, () -> new ReopenedChannel(ONE, () -> {
      throw new GroupChannelException("A setting is missing.", null);
    }));
  }
}
