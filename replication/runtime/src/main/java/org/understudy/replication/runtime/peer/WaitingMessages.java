package org.understudy.replication.runtime.peer;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.understudy.replication.core.Message;

/**
 * The send queue for one replica, bounded by bytes. Not thread-safe.
 *
 * <p>Urgent messages overtake others: a primary must not lose its authority because megabytes of updates are queued. Of
 * each urgent kind only the newest stays.
 */
public final class WaitingMessages {
  private final long maxBytes;
  private final ArrayDeque<Message> queue = new ArrayDeque<>();
  /** Overtakes the queue; at most one of each kind. */
  private final ArrayDeque<Message> urgent = new ArrayDeque<>();
  private long bytes;

  /** @param maxBytes beyond which messages are dropped; a single larger message may be queued */
  public WaitingMessages(long maxBytes) {
    this.maxBytes = maxBytes;
  }

  /** @return false when it was dropped, because the queue is full */
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

  public boolean hasUrgent() {
    return !urgent.isEmpty();
  }

  /** The approximate bytes in the queue, without urgent messages. */
  public long bytes() {
    return bytes;
  }

  public void clear() {
    queue.clear();
    urgent.clear();
    bytes = 0;
  }

  /**
   * Removes the next batch to send; empty when nothing waits.
   *
   * @param maxBytes of all; a single larger message travels alone
   * @param maxMessages in the batch
   */
  public List<Message> nextBatch(long maxBytes, int maxMessages) {
    if (isEmpty()) {
      return List.of();
    }
    if (urgent.isEmpty() && queue.size() == 1) {
      bytes = 0;
      return List.of(queue.pollFirst());
    }
    List<Message> batch = new ArrayList<>();
    long passed = move(urgent, 0, maxBytes, maxMessages, batch);
    batch.replaceAll(this::passing);
    if (urgent.isEmpty()) {
      bytes -= move(queue, passed, maxBytes, maxMessages, batch);
    }
    return batch;
  }

  /** Moves messages to a batch of this many bytes, up to its bound, and returns the number of bytes moved. */
  private static long move(ArrayDeque<Message> from, long bytes, long maxBytes, int maxMessages, List<Message> batch) {
    long taken = 0;
    while (!from.isEmpty() && batch.size() < maxMessages) {
      long next = from.peekFirst().encodedBytes();
      if (!batch.isEmpty() && bytes + taken + next > maxBytes) {
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
