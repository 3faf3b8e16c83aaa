package org.understudy.replication.runtime.socket;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.core.Message;
import org.understudy.replication.core.MessageKind;
import org.understudy.replication.core.order.OrderMessage;
import org.understudy.replication.core.request.Request;
import org.understudy.replication.core.request.Response;
import org.understudy.replication.core.update.StateUpdate;
import org.understudy.replication.core.wire.WireWriter;
import org.understudy.replication.runtime.handshake.GroupDescription;
import org.understudy.replication.runtime.peer.AnswerWait;
import org.understudy.test.Condition;
import org.understudy.test.DirectMemory;
import org.understudy.test.LogRecorder;
import org.understudy.test.network.FreePorts;

/** Updates as large as a service with all its state in one object makes them, from many threads, and errors while they are sent. */
class LargeFramesTest {
  private static final ReplicaId ONE = new ReplicaId(1);
  private static final ReplicaId TWO = new ReplicaId(2);
  private static final int UPDATE_BYTES = 6 << 20;
  private static final int THREADS = 40;

  private final List<AutoCloseable> open = new ArrayList<>();
  private final AtomicInteger updates = new AtomicInteger();
  private final AtomicLong acknowledged = new AtomicLong();
  private Map<ReplicaId, InetSocketAddress> addresses;

  @BeforeEach
  void choosePorts() throws IOException {
    addresses = Map.of(ONE, FreePorts.nextAddress(), TWO, FreePorts.nextAddress());
  }

  @AfterEach
  void close() throws Exception {
    for (AutoCloseable each : open) {
      each.close();
    }
  }

  private SocketSettings settings(ReplicaId self) {
    GroupDescription group = new GroupDescription("g", "primary-backup", Map.of(), Map.of(ONE, "here:1", TWO, "there:2"));
    return OpenedChannel.settings(self, addresses, group, "the secret of a group", null);
  }

  private SocketChannel opened(ReplicaId self) throws IOException {
    SocketChannel channel = OpenedChannel.of(settings(self), (messages, answers) -> messages.forEach(this::received), () -> {});
    open.add(channel);
    return channel;
  }

  private void received(Message message) {
    if (message instanceof OrderMessage.Update) {
      updates.incrementAndGet();
    } else if (message instanceof OrderMessage.Ack ack) {
      acknowledged.set(ack.received());
    }
  }

  private static Message update(byte[] body) {
    return new OrderMessage.Update(
        1, 0, new StateUpdate(7, Request.Kind.UPDATE, null, 0, 0, "", new Response((byte) 0, body), List.of()));
  }

  /** Sends small messages until one has arrived, over this connection or the next. */
  private void awaitDelivery(SocketChannel sender, long from) throws Exception {
    long[] next = {from};
    Condition.await("a message", () -> {
      sender.send(TWO, List.of(new OrderMessage.Ack(1, next[0]++, false)));
      return acknowledged.get() >= from;
    });
  }

  /** The JDK keeps for each thread a direct buffer as large as the largest of the heap that it has given to a channel. */
  @Test
  void memoryOutsideTheHeapDoesNotGrowWithTheThreadsThatSend() throws Exception {
    opened(TWO);
    SocketChannel sender = opened(ONE);
    awaitDelivery(sender, 1);
    Message large = update(new byte[UPDATE_BYTES]);
    long before = DirectMemory.usedBytes();
    CountDownLatch end = new CountDownLatch(1);
    List<Thread> threads = new ArrayList<>();
    for (int i = 1; i <= THREADS; i++) {
      int sent = i;
      Thread thread = new Thread(() -> {
        sender.send(TWO, List.of(large));
        try {
          end.await();
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
        }
      });
      threads.add(thread);
      thread.start();
      Condition.await("the update of thread " + i, () -> updates.get() == sent);
    }
    long grown = DirectMemory.usedBytes() - before;
    end.countDown();
    for (Thread thread : threads) {
      thread.join();
    }
    assertTrue(grown < 2 * UPDATE_BYTES, grown + " bytes");
  }

  /** Once, within a frame of more than a few bytes. */
  private static Connection.Wire failing(AtomicInteger failures) {
    return (channel, bytes) -> {
      if (bytes.remaining() > 1_000 && failures.getAndDecrement() > 0) {
        bytes.limit(bytes.position() + 500);
        channel.write(bytes);
        throw new NoClassDefFoundError("for the test");
      }
      return channel.write(bytes);
    };
  }

  /** Half a frame may be on its way: what the next frame began with would be read as its other half. */
  @Test
  void errorWithinAFrameEndsItsConnection() throws Exception {
    for (int bytes : new int[] {5_000, 300_000}) {
      opened(TWO);
      AtomicInteger failures = new AtomicInteger(1);
      SocketChannel sender =
          OpenedChannel.of(settings(ONE), failing(failures), (messages, answers) -> messages.forEach(this::received), () -> {});
      open.add(sender);
      awaitDelivery(sender, 1);
      try (LogRecorder log = LogRecorder.of(OutgoingLink.class)) {
        sender.send(TWO, List.of(update(new byte[bytes])));
        assertEquals(0, failures.get());
        awaitDelivery(sender, 1_000_000);
        assertTrue(
            log.lines().contains("The connection to replica 2 failed; this replica reconnects."), () -> String.join("\n", log.lines()));
      }
      assertEquals(0, updates.get());
      close();
      open.clear();
      acknowledged.set(0);
      choosePorts();
    }
  }

  /** Of what a step has left to do, an error is logged and forgotten, and the answer with it. */
  @Test
  void answerThatFailsEndsItsConnection() throws Exception {
    open.add(
        OpenedChannel.of(
            settings(TWO),
            (messages, answers) -> {
              messages.forEach(this::received);
              if (answers != null) {
                try {
                  answers.accept(List.of(new Unwritable()));
                } catch (NoClassDefFoundError e) {
                  // As a step does with an effect.
                }
              }
            },
            () -> {}));
    SocketChannel sender = opened(ONE);
    awaitDelivery(sender, 1);
    try (LogRecorder log = LogRecorder.of(OutgoingLink.class)) {
      AnswerWait wait = sender.beginAnswerWait();
      sender.send(TWO, List.of(update(new byte[100])));
      Condition.await("another connection", () -> log.lines().stream().anyMatch(line -> line.startsWith("Connected to replica 2")));
      wait.end();
    }
  }

  private record Unwritable() implements Message {
    @Override
    public long epoch() {
      return 1;
    }

    @Override
    public MessageKind kind() {
      return OrderMessage.Ack.KIND;
    }

    @Override
    public void write(WireWriter out) {
      throw new NoClassDefFoundError("for the test");
    }
  }
}
