package org.understudy.replication.runtime;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.understudy.replication.core.Message;

/**
 * Messages that wait to be sent to one replica, bounded by bytes. Not thread-safe.
 *
 * <p>Urgent messages pass the others: a primary must not lose its authority because megabytes of updates are on their way.
 * Of each of these kinds only the newest waits.
 */
public final class WaitingMessages {
  private final long maxBytes;
  private final ArrayDeque<Message> queue = new ArrayDeque<>();
  /** Passes the queue; one of each kind at most. */
  private final ArrayDeque<Message> urgent = new ArrayDeque<>();
  private long bytes;

  /** @param maxBytes beyond which messages are dropped; a single larger message may wait */
  public WaitingMessages(long maxBytes) {
    this.maxBytes = maxBytes;
  }

  /** @return false when it was dropped, because too much waits */
  public boolean add(Message message) {
    if (message.isUrgent()) {
      urgent.removeIf(older -> older.getClass() == message.getClass());
      urgent.addLast(message);
      return true;
    }
    if (!queue.isEmpty() && message.supersedes(queue.peekLast())) {
      queue.pollLast();
      queue.addLast(message);
      return true;
    }
    long more = message.encodedBytes();
    if (!queue.isEmpty() && bytes + more > maxBytes) {
      return false;
    }
    queue.addLast(message);
    bytes += more;
    return true;
  }

  public boolean isEmpty() {
    return queue.isEmpty() && urgent.isEmpty();
  }

  /** What waits, roughly; urgent messages do not count. */
  public long bytes() {
    return bytes;
  }

  public void clear() {
    queue.clear();
    urgent.clear();
    bytes = 0;
  }

  /**
   * Takes what is to be sent next together; empty when nothing waits.
   *
   * @param mostBytes of all; a single larger message travels alone
   * @param most messages
   */
  public List<Message> nextBatch(long mostBytes, int most) {
    if (isEmpty()) {
      return List.of();
    }
    if (urgent.isEmpty() && queue.size() == 1) {
      bytes = 0;
      return List.of(queue.pollFirst());
    }
    List<Message> batch = new ArrayList<>();
    long passed = take(urgent, 0, mostBytes, most, batch);
    batch.replaceAll(this::passing);
    if (urgent.isEmpty()) {
      bytes -= take(queue, passed, mostBytes, most, batch);
    }
    return batch;
  }

  /** Moves messages to a batch of so many bytes, up to its bound, and returns how many bytes were moved. */
  private static long take(ArrayDeque<Message> from, long bytes, long mostBytes, int most, List<Message> batch) {
    long taken = 0;
    while (!from.isEmpty() && batch.size() < most) {
      long next = from.peekFirst().encodedBytes();
      if (!batch.isEmpty() && bytes + taken + next > mostBytes) {
        break;
      }
      taken += next;
      batch.add(from.pollFirst());
    }
    return taken;
  }

  private Message passing(Message message) {
    for (Message waiting : queue) {
      if (waiting.updateIndex() > 0 && waiting.epoch() == message.epoch()) {
        return message.passing(waiting);
      }
    }
    return message;
  }
}
