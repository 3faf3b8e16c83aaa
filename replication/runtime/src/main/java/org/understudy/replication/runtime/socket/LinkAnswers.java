package org.understudy.replication.runtime.socket;

import java.util.ArrayDeque;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import org.understudy.replication.runtime.peer.AnswerWait;

/**
 * The one thread that waits for the answers to its updates at the links of a channel. It waits at one link after the other, because an
 * update is stable when all have answered: while it waits at one, the answers of the others arrive without waking it.
 */
final class LinkAnswers implements AnswerWait {
  /** Null while no thread waits. */
  private final AtomicReference<Thread> waiting = new AtomicReference<>();
  /** Where answers are expected; accessed by the waiting thread only. */
  private final ArrayDeque<OutgoingLink> expected = new ArrayDeque<>();
  /** Where the thread blocks or is about to; null for nowhere. */
  private volatile OutgoingLink place;

  /** Begins the wait of the calling thread, unless another thread waits. */
  boolean begin() {
    return waiting.get() == null && waiting.compareAndSet(null, Thread.currentThread());
  }

  /** Whether the calling thread is the one that waits. */
  boolean isOfThisThread() {
    return waiting.get() == Thread.currentThread();
  }

  /** Notes that the waiting thread, which calls this, has asked for an answer. */
  void expect(OutgoingLink link) {
    expected.addLast(link);
  }

  @Override
  public boolean receive(BooleanSupplier over, long nanos) {
    OutgoingLink link = expected.peekFirst();
    while (link != null && !link.owesAnswer()) {
      expected.removeFirst();
      link = expected.peekFirst();
    }
    if (link == null) {
      return false;
    }
    // Published before the condition is read, so that who makes it hold wakes this thread.
    place = link;
    try {
      if (!over.getAsBoolean()) {
        link.receiveAnswer(nanos);
      }
    } finally {
      place = null;
    }
    return true;
  }

  @Override
  public void wakeUp() {
    OutgoingLink link = place;
    if (link != null) {
      link.wakeAnswerWait();
    }
  }

  @Override
  public void end() {
    OutgoingLink link;
    try {
      while ((link = expected.pollFirst()) != null) {
        link.leaveAnswer();
      }
    } finally {
      waiting.set(null);
    }
  }
}
