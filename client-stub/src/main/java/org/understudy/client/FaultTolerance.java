package org.understudy.client;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import org.understudy.replication.api.ReadLevel;

/** Settings of a client of one group. Immutable. */
public final class FaultTolerance {
  private final List<URI> replicas;
  private final Duration connectTimeout;
  private final Duration responseTimeout;
  private final Duration deadline;
  private final int maxOpen;
  private final int asyncThreads;
  private final ReadLevel readLevel;

  private FaultTolerance(Builder builder) {
    this.replicas = List.copyOf(builder.replicas);
    this.connectTimeout = builder.connectTimeout;
    this.responseTimeout = builder.responseTimeout;
    this.deadline = builder.deadline;
    this.maxOpen = builder.maxOpen;
    this.asyncThreads = builder.asyncThreads;
    this.readLevel = builder.readLevel;
  }

  /** Defaults for a group whose replicas serve at these addresses; one that answers is enough to learn the others. */
  public static FaultTolerance ofDefaults(List<URI> replicas) {
    return custom(replicas).build();
  }

  /**
   * @param replicas addresses of the service at the replicas, one or more, http or https
   * @throws IllegalArgumentException when there is none
   */
  public static Builder custom(List<URI> replicas) {
    return new Builder(replicas);
  }

  public List<URI> replicas() {
    return replicas;
  }

  public Duration connectTimeout() {
    return connectTimeout;
  }

  public Duration responseTimeout() {
    return responseTimeout;
  }

  public Duration deadline() {
    return deadline;
  }

  public int maxOpen() {
    return maxOpen;
  }

  public int asyncThreads() {
    return asyncThreads;
  }

  /** Null: the service decides. */
  public ReadLevel readLevel() {
    return readLevel;
  }

  /** Collects settings. Not thread-safe. */
  public static final class Builder {
    private final List<URI> replicas;
    private Duration connectTimeout = Duration.ofSeconds(2);
    private Duration responseTimeout = Duration.ofSeconds(30);
    private Duration deadline = Duration.ofSeconds(60);
    private int maxOpen = 1_024;
    private int asyncThreads = 64;
    private ReadLevel readLevel;

    private Builder(List<URI> replicas) {
      if (replicas.isEmpty()) {
        throw new IllegalArgumentException("A client needs the address of one replica at least.");
      }
      this.replicas = replicas;
    }

    private static Duration positive(Duration duration, String what) {
      if (duration.isNegative() || duration.isZero() || duration.compareTo(Duration.ofHours(1)) > 0) {
        throw new IllegalArgumentException("The " + what + " is above zero and at most an hour, not " + duration + ".");
      }
      return duration;
    }

    /**
     * How long one attempt may take to connect. Default 2 s, up to 1 h.
     *
     * @throws IllegalArgumentException when out of range
     */
    public Builder connectTimeout(Duration timeout) {
      connectTimeout = positive(timeout, "connect timeout");
      return this;
    }

    /**
     * How long one attempt may wait for its response before another is made with the same request id. Default 30 s, up
     * to 1 h.
     *
     * @throws IllegalArgumentException when out of range
     */
    public Builder responseTimeout(Duration timeout) {
      responseTimeout = positive(timeout, "response timeout");
      return this;
    }

    /**
     * How long an invocation may take over all its attempts. Default 60 s, up to 1 h.
     *
     * @throws IllegalArgumentException when out of range
     */
    public Builder deadline(Duration duration) {
      deadline = positive(duration, "deadline");
      return this;
    }

    /**
     * Invocations open at once, all ports of the group together; a further one fails as not executed. Default 1,024,
     * from 1 to 2,048.
     *
     * @throws IllegalArgumentException when out of range
     */
    public Builder maxOpen(int invocations) {
      if (invocations < 1 || invocations > 2_048) {
        throw new IllegalArgumentException("Open invocations are from 1 to 2048, not " + invocations + ".");
      }
      maxOpen = invocations;
      return this;
    }

    /**
     * Threads that carry asynchronous invocations; those beyond wait in a queue. Default 64, from 1 to 1,024.
     *
     * @throws IllegalArgumentException when out of range
     */
    public Builder asyncThreads(int threads) {
      if (threads < 1 || threads > 1_024) {
        throw new IllegalArgumentException("Threads are from 1 to 1024, not " + threads + ".");
      }
      asyncThreads = threads;
      return this;
    }

    /** Level of reads. Default null: the service decides, usually linearizable. */
    public Builder readLevel(ReadLevel level) {
      readLevel = level;
      return this;
    }

    public FaultTolerance build() {
      return new FaultTolerance(this);
    }
  }
}
