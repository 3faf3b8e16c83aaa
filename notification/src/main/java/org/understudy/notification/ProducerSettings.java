package org.understudy.notification;

import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Predicate;
import org.understudy.notification.delivery.AllowedSinks;
import org.understudy.notification.delivery.DeliverySettings;

/** How a producer behaves. Immutable; made with {@link #at}. */
public final class ProducerSettings {
  private final URI address;
  private final Builder chosen;

  private ProducerSettings(Builder builder) {
    this.address = builder.address;
    this.chosen = builder.copy();
  }

  /**
   * Settings for a producer at an address, all else by default.
   *
   * @param address the absolute http or https address at which consumers find the producer; it goes into endpoint
   *     references and the WSDL, which never rely on what a request calls this server
   * @throws IllegalArgumentException when the address is not such a one
   */
  public static Builder at(URI address) {
    return new Builder(address);
  }

  /** Where consumers find the producer; without a slash at the end. */
  public URI address() {
    return address;
  }

  /** The address of one subscription's manager. */
  public URI managerAddress(String subscriptionId) {
    return URI.create(address + "/subscriptions/" + subscriptionId);
  }

  /** Most subscriptions at a time. */
  public int maximumSubscriptions() {
    return chosen.maximumSubscriptions;
  }

  /** Most bytes of one published message. */
  public int maximumMessageBytes() {
    return chosen.maximumMessageBytes;
  }

  /** Most bytes of one request's body. */
  public int maximumRequestBytes() {
    return chosen.maximumRequestBytes;
  }

  /** How long a subscription lasts that names no termination time. */
  public Duration defaultLifetime() {
    return chosen.defaultLifetime;
  }

  /** How long a subscription may last, counted from its creation or renewal; empty: for ever. */
  public Optional<Duration> maximumLifetime() {
    return Optional.ofNullable(chosen.maximumLifetime);
  }

  /** How long an expired subscription may take up memory; it gets no message from its termination time on. */
  public Duration sweepInterval() {
    return chosen.sweepInterval;
  }

  /** Whether messages may go to an address. */
  public Predicate<URI> allowedSinks() {
    return chosen.allowedSinks;
  }

  /** The wall clock that termination times are compared with. */
  public Clock clock() {
    return chosen.clock;
  }

  /** How messages are delivered. */
  public DeliverySettings delivery() {
    return chosen.delivery;
  }

  /** Collects settings; every setter checks at once. For one thread. */
  public static final class Builder {
    private final URI address;
    private int maximumSubscriptions = 1_000;
    private int maximumMessageBytes = 1 << 20;
    private int maximumRequestBytes = 64 << 10;
    private Duration defaultLifetime = Duration.ofHours(1);
    private Duration maximumLifetime;
    private Duration sweepInterval = Duration.ofSeconds(1);
    private Predicate<URI> allowedSinks = AllowedSinks.loopback();
    private Clock clock = Clock.systemUTC();
    private DeliverySettings delivery = DeliverySettings.ofDefaults();

    private Builder(URI address) {
      String scheme = address.getScheme();
      check(address.getHost() != null && ("http".equals(scheme) || "https".equals(scheme)), "address");
      check(address.getRawQuery() == null && address.getRawFragment() == null, "address");
      String text = address.toString();
      this.address = text.endsWith("/") ? URI.create(text.substring(0, text.length() - 1)) : address;
    }

    private Builder copy() {
      return new Builder(address)
          .maximumSubscriptions(maximumSubscriptions)
          .maximumMessageBytes(maximumMessageBytes)
          .maximumRequestBytes(maximumRequestBytes)
          .defaultLifetime(defaultLifetime)
          .maximumLifetime(Optional.ofNullable(maximumLifetime))
          .sweepInterval(sweepInterval)
          .allowedSinks(allowedSinks)
          .clock(clock)
          .delivery(delivery);
    }

    /** Most subscriptions at a time; 1 to 100,000, by default 1,000. One more is refused with a fault. */
    public Builder maximumSubscriptions(int number) {
      check(number >= 1 && number <= 100_000, "maximumSubscriptions");
      this.maximumSubscriptions = number;
      return this;
    }

    /** Most bytes of one published message; 1 to 64 Mi, by default 1 Mi. */
    public Builder maximumMessageBytes(int bytes) {
      check(bytes >= 1 && bytes <= 64 << 20, "maximumMessageBytes");
      this.maximumMessageBytes = bytes;
      return this;
    }

    /** Most bytes of one request's body; 1,024 to 16 Mi, by default 64 Ki. */
    public Builder maximumRequestBytes(int bytes) {
      check(bytes >= 1_024 && bytes <= 16 << 20, "maximumRequestBytes");
      this.maximumRequestBytes = bytes;
      return this;
    }

    /** How long a subscription lasts that names no termination time; above 0, by default an hour. */
    public Builder defaultLifetime(Duration lifetime) {
      check(!lifetime.isNegative() && !lifetime.isZero(), "defaultLifetime");
      this.defaultLifetime = lifetime;
      return this;
    }

    /** How long a subscription may last at most; above 0; by default empty: for ever. */
    public Builder maximumLifetime(Optional<Duration> lifetime) {
      check(lifetime.isEmpty() || lifetime.get().compareTo(Duration.ZERO) > 0, "maximumLifetime");
      this.maximumLifetime = lifetime.orElse(null);
      return this;
    }

    /** How often expired subscriptions are cleared away; 1 ms or more, by default a second. */
    public Builder sweepInterval(Duration interval) {
      check(interval.toMillis() >= 1, "sweepInterval");
      this.sweepInterval = interval;
      return this;
    }

    /** Where messages may go, asked at each Subscribe; must not block. By default loopback addresses only. */
    public Builder allowedSinks(Predicate<URI> predicate) {
      this.allowedSinks = Objects.requireNonNull(predicate);
      return this;
    }

    /** The clock; by default the system's. */
    public Builder clock(Clock wallClock) {
      this.clock = Objects.requireNonNull(wallClock);
      return this;
    }

    /** How messages are delivered. */
    public Builder delivery(DeliverySettings settings) {
      this.delivery = Objects.requireNonNull(settings);
      return this;
    }

    /** The settings. */
    public ProducerSettings build() {
      return new ProducerSettings(this);
    }

    private static void check(boolean inRange, String what) {
      if (!inRange) {
        throw new IllegalArgumentException("Out of range: " + what + ".");
      }
    }
  }
}
