package org.understudy.replication.core;

import java.util.PriorityQueue;

/** Connections of every length and width, in virtual time. */
public final class VirtualLinks {
  private static final double BYTES_IN_KBIT = 125;
  private final PriorityQueue<Event> events = new PriorityQueue<>();
  private long now;
  private long numbers;

  /** What happens at a time, in the order in which it was planned. */
  private record Event(long at, long number, Runnable action) implements Comparable<Event> {
    @Override
    public int compareTo(Event other) {
      return at == other.at ? Long.compare(number, other.number) : Long.compare(at, other.at);
    }
  }

  /** In nanoseconds. */
  public long now() {
    return now;
  }

  /** Plans an action. */
  public void after(long nanos, Runnable action) {
    events.add(new Event(now + nanos, numbers++, action));
  }

  /** Does what is planned next. */
  public void next() {
    Event next = events.remove();
    now = next.at();
    next.action().run();
  }

  /** @param kbits in a second; 0 for an unlimited bandwidth */
  public Direction direction(long delayMs, long kbits) {
    return new Direction(delayMs, kbits);
  }

  /** One direction of a connection: as fast as its bandwidth, and as late as its delay. What is on it when it breaks is lost. */
  public final class Direction {
    private final long delay;
    private final double bytesInNano;
    private long free;
    private long bytes;
    private int connection;

    private Direction(long delayMs, long kbits) {
      delay = delayMs * 1_000_000L;
      bytesInNano = kbits == 0 ? Double.MAX_VALUE : kbits * BYTES_IN_KBIT / 1e9;
    }

    /** Sends a message of this size, and does this when it arrives. */
    public void send(long size, Runnable delivery) {
      bytes += size;
      free = Math.max(now, free) + (long) (size / bytesInNano);
      int sentOn = connection;
      after(free - now + delay, () -> {
        if (sentOn == connection) {
          delivery.run();
        }
      });
    }

    /** Loses what is on it. */
    public void breakConnection() {
      connection++;
    }

    public long delay() {
      return delay;
    }

    /** All that was sent. */
    public long bytes() {
      return bytes;
    }
  }
}
