package org.understudy.replication.runtime.peer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.core.Message;
import org.understudy.replication.core.membership.MembershipMessage;

/** Threads that add in turn and flush concurrently: no message is lost, duplicated, reordered or left behind. */
class OutboxFlushTest {
  private static final ReplicaId PEER = new ReplicaId(2);

  /** Messages of this kind never replace each other, so each must arrive. */
  private static Message message(long number) {
    return new MembershipMessage.Nack(number);
  }

  private static List<Long> numbers(Iterable<List<Message>> batches) {
    List<Long> numbers = new ArrayList<>();
    batches.forEach(batch -> batch.forEach(message -> numbers.add(message.epoch())));
    return numbers;
  }

  @Test
  void concurrentFlushesSendOnceAndInOrder() throws Exception {
    int threads = 4;
    long each = 20_000;
    ConcurrentLinkedQueue<List<Message>> sent = new ConcurrentLinkedQueue<>();
    AtomicBoolean sending = new AtomicBoolean();
    AtomicBoolean twice = new AtomicBoolean();
    Outbox outbox =
        new Outbox(PEER, FrameSizes.DEFAULTS, batch -> {
          twice.compareAndSet(false, !sending.compareAndSet(false, true));
          sent.add(batch);
          sending.set(false);
        });
    Object exclusion = new Object();
    long[] next = new long[1];
    List<Thread> running = new ArrayList<>();
    for (int i = 0; i < threads; i++) {
      Thread thread = new Thread(() -> {
        for (int k = 0; k < each; k++) {
          synchronized (exclusion) {
            outbox.add(message(++next[0]));
          }
          outbox.flush();
        }
      });
      thread.start();
      running.add(thread);
    }
    for (Thread thread : running) {
      thread.join();
    }
    assertFalse(twice.get(), "the channel is used by one thread at a time");
    assertEquals(LongStream.rangeClosed(1, threads * each).boxed().toList(), numbers(sent));
  }

  @Test
  void concurrentFlushDoesNotBlock() throws Exception {
    ConcurrentLinkedQueue<List<Message>> sent = new ConcurrentLinkedQueue<>();
    CountDownLatch entered = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    Outbox outbox =
        new Outbox(PEER, FrameSizes.DEFAULTS, batch -> {
          sent.add(batch);
          entered.countDown();
          try {
            assertTrue(goOn.await(30, TimeUnit.SECONDS));
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
        });
    outbox.add(message(1));
    Thread slow = new Thread(outbox::flush);
    slow.start();
    assertTrue(entered.await(30, TimeUnit.SECONDS));
    outbox.add(message(2));
    outbox.flush();
    assertEquals(List.of(1L), numbers(sent), "the slow channel has it alone");
    goOn.countDown();
    slow.join();
    assertEquals(List.of(1L, 2L), numbers(sent), "it sends what was added meanwhile");
  }

  @Test
  void failingChannelDoesNotBlockLaterMessages() {
    List<List<Message>> sent = new ArrayList<>();
    AtomicBoolean broken = new AtomicBoolean(true);
    Outbox outbox =
        new Outbox(PEER, FrameSizes.DEFAULTS, batch -> {
          if (broken.getAndSet(false)) {
            throw new IllegalStateException("put in by the test");
          }
          sent.add(batch);
        });
    outbox.add(message(1));
    assertThrows(IllegalStateException.class, outbox::flush);
    outbox.add(message(2));
    outbox.flush();
    assertEquals(List.of(2L), numbers(sent));
  }
}
