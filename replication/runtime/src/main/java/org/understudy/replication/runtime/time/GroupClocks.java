package org.understudy.replication.runtime.time;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.function.LongSupplier;
import org.understudy.replication.core.time.ClockReading;

/**
 * The clocks of the group at one replica. What ends at some time is counted by {@link #counted}, which neither a wrong clock nor one that
 * is set changes; people and clients are told {@link #wall}. Both can be late by the way of a heartbeat at a replica that does not lead.
 * Before this replica has heard of a primary, both are its own wall clock. Thread-safe; no method blocks.
 */
public final class GroupClocks {
  private static final long SECOND = 1_000_000_000L;

  private final LongSupplier monotonic;
  private final LongSupplier own;
  private final Clock counted = new Nanos(this::countedNanos);
  private final Clock wall = new Nanos(this::wallNanos);
  private volatile ClockReading reading;

  /** A clock in UTC that shows nanoseconds since 1970. */
  private static final class Nanos extends Clock {
    private final LongSupplier nanos;

    Nanos(LongSupplier nanos) {
      this.nanos = nanos;
    }

    @Override
    public Instant instant() {
      long now = nanos.getAsLong();
      return Instant.ofEpochSecond(Math.floorDiv(now, SECOND), Math.floorMod(now, SECOND));
    }

    @Override
    public ZoneId getZone() {
      return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
      return Clock.tick(this, Duration.ofNanos(1)).withZone(zone);
    }
  }

  /**
   * @param monotonic nanoseconds of this replica's monotonic clock
   * @param own nanoseconds since 1970 of its wall clock
   */
  public GroupClocks(LongSupplier monotonic, LongSupplier own) {
    this.monotonic = monotonic;
    this.own = own;
  }

  /** Clocks that both are this process' own wall clock. */
  public static GroupClocks ofThisProcess() {
    return new GroupClocks(System::nanoTime, GroupClocks::processNanos);
  }

  /** Nanoseconds since 1970 by this process' own wall clock, with the resolution of the system's. */
  public static long processNanos() {
    Instant now = Instant.now();
    return now.getEpochSecond() * SECOND + now.getNano();
  }

  /** Called when the core reports how far the clocks of the group are ahead. */
  public void read(ClockReading next) {
    reading = next;
  }

  /**
   * The clock that counts from when the group began: whoever leads adds what its monotonic clock shows. Time during which the leader's
   * machine was suspended is not counted.
   */
  public Clock counted() {
    return counted;
  }

  /**
   * The wall clock: this replica's own while it agrees with a majority of the replicas' clocks within a second, otherwise that of the
   * majority.
   */
  public Clock wall() {
    return wall;
  }

  /** The time of {@link #counted} at which as much time will have passed from now as {@link #wall} lacks to this time. */
  public Instant deadline(Instant time) {
    return counted.instant().plus(Duration.between(wall.instant(), time));
  }

  /** By how much this replica's wall clock is ahead of a majority's; zero while it agrees, or no majority is known. */
  public Duration disagreement() {
    return Duration.ofNanos(disagreementOf(own.getAsLong()));
  }

  private long disagreementOf(long shown) {
    ClockReading now = reading;
    long ahead = now == null ? 0 : shown - monotonic.getAsLong() - now.wall();
    return Math.abs(ahead) <= ClockReading.AGREEMENT_NANOS ? 0 : ahead;
  }

  private long countedNanos() {
    ClockReading now = reading;
    return now == null ? own.getAsLong() : monotonic.getAsLong() + now.counted();
  }

  private long wallNanos() {
    long shown = own.getAsLong();
    return shown - disagreementOf(shown);
  }
}
