package org.understudy.client;

import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import javax.net.ssl.SSLContext;
import org.understudy.client.invocation.InvocationFailedException;
import org.understudy.replication.api.ReadLevel;

/** The settings of a fault-tolerant client. Immutable; created by {@link #custom()} or {@link #ofDefaults(List)}. */
public final class FaultTolerance {
  private final List<URI> replicas;
  private final URI preferred;
  private final Duration connectTimeout;
  private final Duration responseTimeout;
  private final Duration deadline;
  private final Duration awaitViewHold;
  private final int maxOpenInvocations;
  private final int asyncThreads;
  private final int maxResponseBytes;
  private final ReadLevel readLevel;
  private final SSLContext tls;
  private final RandomGenerator jitter;

  private FaultTolerance(Builder builder) {
    this.replicas = List.copyOf(builder.replicas);
    this.preferred = builder.preferred;
    this.connectTimeout = builder.connectTimeout;
    this.responseTimeout = builder.responseTimeout;
    this.deadline = builder.deadline;
    this.awaitViewHold = builder.awaitViewHold;
    this.maxOpenInvocations = builder.maxOpenInvocations;
    this.asyncThreads = builder.asyncThreads;
    this.maxResponseBytes = builder.maxResponseBytes;
    this.readLevel = builder.readLevel;
    this.tls = builder.tls;
    this.jitter = builder.jitter;
  }

  /** A builder with the defaults. */
  public static Builder custom() {
    return new Builder();
  }

  /**
   * The defaults, for these replicas.
   *
   * @throws IllegalArgumentException as {@link Builder#replicas(List)}
   */
  public static FaultTolerance ofDefaults(List<URI> replicas) {
    return custom().replicas(replicas).build();
  }

  /** A builder with the values of this object. */
  public Builder toBuilder() {
    Builder builder = new Builder();
    builder.replicas = replicas;
    builder.preferred = preferred;
    builder.connectTimeout = connectTimeout;
    builder.responseTimeout = responseTimeout;
    builder.deadline = deadline;
    builder.awaitViewHold = awaitViewHold;
    builder.maxOpenInvocations = maxOpenInvocations;
    builder.asyncThreads = asyncThreads;
    builder.maxResponseBytes = maxResponseBytes;
    builder.readLevel = readLevel;
    builder.tls = tls;
    builder.jitter = jitter;
    return builder;
  }

  /** The service's URL at each configured replica; never empty. */
  public List<URI> replicas() {
    return replicas;
  }

  /** The replica that this client prefers; empty for none. */
  public Optional<URI> preferred() {
    return Optional.ofNullable(preferred);
  }

  /** See {@link Builder#connectTimeout(Duration)}. */
  public Duration connectTimeout() {
    return connectTimeout;
  }

  /** See {@link Builder#responseTimeout(Duration)}. */
  public Duration responseTimeout() {
    return responseTimeout;
  }

  /** See {@link Builder#deadline(Duration)}. */
  public Duration deadline() {
    return deadline;
  }

  /** See {@link Builder#awaitViewHold(Duration)}. */
  public Duration awaitViewHold() {
    return awaitViewHold;
  }

  /** See {@link Builder#maxOpenInvocations(int)}. */
  public int maxOpenInvocations() {
    return maxOpenInvocations;
  }

  /** See {@link Builder#asyncThreads(int)}. */
  public int asyncThreads() {
    return asyncThreads;
  }

  /** See {@link Builder#maxResponseBytes(int)}. */
  public int maxResponseBytes() {
    return maxResponseBytes;
  }

  /** See {@link Builder#readLevel(ReadLevel)}. */
  public Optional<ReadLevel> readLevel() {
    return Optional.ofNullable(readLevel);
  }

  /** See {@link Builder#tls(SSLContext)}. */
  public Optional<SSLContext> tls() {
    return Optional.ofNullable(tls);
  }

  RandomGenerator jitter() {
    return jitter;
  }

  /** Collects values; each setter checks its own. Used by one thread. */
  public static final class Builder {
    private List<URI> replicas = List.of();
    private Duration connectTimeout = Duration.ofSeconds(1);
    private Duration responseTimeout = Duration.ofSeconds(30);
    private Duration deadline = Duration.ofSeconds(60);
    private Duration awaitViewHold = Duration.ofSeconds(30);
    private int maxOpenInvocations = 2_048;
    private int asyncThreads = 32;
    private int maxResponseBytes = 64 << 20;
    private ReadLevel readLevel;
    private SSLContext tls;
    private URI preferred;
    private RandomGenerator jitter = new SplittableRandom();

    private Builder() {}

    /**
     * The service's URL at every replica, http or https; a trailing slash is dropped. They are tried in this
     * order before a view is known; afterwards the group itself reports its members. One URL is sufficient while that
     * replica answers. A query is sent with every request to that replica; one that is not listed gets that of the first. No default.
     *
     * @throws IllegalArgumentException when there is none, or one is invalid
     */
    public Builder replicas(List<URI> addresses) {
      if (addresses.isEmpty()) {
        throw new IllegalArgumentException("Name at least one replica.");
      }
      LinkedHashSet<URI> checked = new LinkedHashSet<>();
      addresses.forEach(address -> checked.add(checked(address)));
      this.replicas = new ArrayList<>(checked);
      return this;
    }

    /**
     * The service's URL at the replica that this client prefers where several serve its requests, as with the strategy group:
     * the nearest one, for example. It is used while it serves, until a replica with more load redirects the client. Default:
     * clients spread over the replicas.
     *
     * @throws IllegalArgumentException as {@link #replicas(List)}
     */
    public Builder preferred(URI replica) {
      this.preferred = checked(replica);
      return this;
    }

    private static URI checked(URI address) {
      boolean isHttp = "http".equals(address.getScheme()) || "https".equals(address.getScheme());
      if (!isHttp || address.getHost() == null || address.getRawFragment() != null) {
        throw new IllegalArgumentException("A replica's address must be an http or https URL without a fragment, not " + address + ".");
      }
      String query = address.getRawQuery() == null ? "" : "?" + address.getRawQuery();
      String base = address.toString().substring(0, address.toString().length() - query.length());
      return base.endsWith("/") ? URI.create(base.substring(0, base.length() - 1) + query) : address;
    }

    /**
     * The timeout for one connection, after which the next replica is tried. Default 1 s; 1 ms to 10 min.
     *
     * @throws IllegalArgumentException out of range
     */
    public Builder connectTimeout(Duration time) {
      this.connectTimeout = inRange("connectTimeout", time, Duration.ofMillis(1), Duration.ofMinutes(10));
      return this;
    }

    /**
     * How long one attempt may wait without receiving a byte before the call is retried elsewhere, under the same
     * sequence number. Longer than the slowest operation, or such an operation is retried in vain (it still runs
     * once). News of a failover cuts it short, and what opens a session waits for at most 5 s. A port may have a receive timeout of its
     * own, see {@link FaultTolerant}. Default 30 s; 1 ms to 24 h.
     *
     * @throws IllegalArgumentException out of range
     */
    public Builder responseTimeout(Duration time) {
      this.responseTimeout = inRange("responseTimeout", time, Duration.ofMillis(1), Duration.ofHours(24));
      return this;
    }

    /**
     * How long one invocation may take over all its attempts, waiting in the queue and opening a session included, before
     * {@link InvocationFailedException} is thrown. An attempt that is just connecting may exceed it by
     * {@link #connectTimeout(Duration)}. Default 60 s; 1 ms to 24 h.
     *
     * @throws IllegalArgumentException out of range
     */
    public Builder deadline(Duration time) {
      this.deadline = inRange("deadline", time, Duration.ofMillis(1), Duration.ofHours(24));
      return this;
    }

    /**
     * How long a replica may hold the long poll for failover news. One poll per group of ports is open at any time.
     * Shorter than what firewalls on the way allow an idle connection. Whole seconds; default 30 s; 1 s to 60 s.
     *
     * @throws IllegalArgumentException out of range
     */
    public Builder awaitViewHold(Duration time) {
      this.awaitViewHold = inRange("awaitViewHold", time, Duration.ofSeconds(1), Duration.ofSeconds(60));
      return this;
    }

    /**
     * How many invocations, synchronous and asynchronous, queued ones included, may be open at once in one group of
     * ports; one more is refused at once as not executed. Default 2,048, the number a replica accepts for one session;
     * 1 to 100,000.
     *
     * @throws IllegalArgumentException out of range
     */
    public Builder maxOpenInvocations(int count) {
      this.maxOpenInvocations = inRange("maxOpenInvocations", count, 1, 100_000);
      return this;
    }

    /**
     * How many asynchronous invocations are sent at once; further ones wait in a queue up to
     * {@link #maxOpenInvocations(int)}. Callbacks and in-interceptors run on these threads. Threads start when needed
     * and end after 10 s without work. Default 32; 1 to 10,000.
     *
     * @throws IllegalArgumentException out of range
     */
    public Builder asyncThreads(int count) {
      this.asyncThreads = inRange("asyncThreads", count, 1, 10_000);
      return this;
    }

    /**
     * The longest accepted answer, in bytes; an answer is held in memory as a whole. Default 64 MiB; 1 KiB to 2 GiB.
     *
     * @throws IllegalArgumentException out of range
     */
    public Builder maxResponseBytes(int bytes) {
      this.maxResponseBytes = inRange("maxResponseBytes", bytes, 1_024, Integer.MAX_VALUE - 16);
      return this;
    }

    /**
     * The consistency of reads, where the service leaves it to the client; {@link FaultTolerant#READ_LEVEL} in a port's
     * request context takes precedence. Default: the service decides.
     *
     * @throws NullPointerException for null
     */
    public Builder readLevel(ReadLevel level) {
      this.readLevel = Objects.requireNonNull(level);
      return this;
    }

    /**
     * Keys and trust for https addresses, where a port's conduit has no {@code TLSClientParameters}. Default: those of the JVM.
     *
     * @throws NullPointerException for null
     */
    public Builder tls(SSLContext context) {
      this.tls = Objects.requireNonNull(context);
      return this;
    }

    /**
     * The source of jitter for pauses between attempts; a seeded one makes them repeatable. Default: one with a random
     * seed.
     *
     * @throws NullPointerException for null
     */
    public Builder jitter(RandomGenerator generator) {
      this.jitter = Objects.requireNonNull(generator);
      return this;
    }

    /**
     * @throws IllegalArgumentException when {@link #replicas(List)} was not called
     */
    public FaultTolerance build() {
      if (replicas.isEmpty()) {
        throw new IllegalArgumentException("Name at least one replica.");
      }
      return new FaultTolerance(this);
    }

    private static Duration inRange(String name, Duration value, Duration min, Duration max) {
      if (value.compareTo(min) < 0 || value.compareTo(max) > 0) {
        throw new IllegalArgumentException(name + " must be from " + min + " to " + max + ", not " + value + ".");
      }
      return value;
    }

    private static int inRange(String name, int value, int min, int max) {
      if (value < min || value > max) {
        throw new IllegalArgumentException(name + " must be from " + min + " to " + max + ", not " + value + ".");
      }
      return value;
    }
  }
}
