package org.understudy.wsat.coordinator;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import org.understudy.replication.runtime.share.LocalShares;
import org.understudy.wsat.addressing.InstanceIds;

/**
 * The transactions of this coordinator that have not expired, and what is registered in each. Narayana forgets a transaction that expires,
 * and not the clients that were to complete it. Narayana is static, so there is one object at a time for each class loader. Thread-safe.
 */
public final class Activities {
  /** Participants and clients that are registered in one transaction. */
  public static final int MAX_REGISTERED = 100;
  static final int MAX_OPEN = 10_000;
  /** All registrations together may hold a fourth of the heap, so those in the transactions of one client a sixteenth. */
  private static final int HEAP_SHARES = 4;
  private static final AtomicReference<Activities> CURRENT = new AtomicReference<>();

  private final InstanceIds ids;
  private final LongSupplier clock;
  private final LocalShares places =
      new LocalShares("transactions at this coordinator that have not expired: %d", MAX_OPEN);
  private final LocalShares held;
  private final Map<String, Activity> byId = new HashMap<>();
  private final PriorityQueue<Activity> byExpiry = new PriorityQueue<>((one, other) -> Long.signum(one.expiry - other.expiry));

  /** A transaction. */
  private static final class Activity {
    private final String id;
    private final String owner;
    private final long expiry;
    private int registered;
    private long held;
    private final List<Runnable> forgetting = new ArrayList<>();

    private Activity(String id, String owner, long expiry) {
      this.id = id;
      this.owner = owner;
      this.expiry = expiry;
    }
  }

  /** @param clock as {@code System.nanoTime} */
  Activities(InstanceIds ids, LongSupplier clock) {
    this(ids, clock, Runtime.getRuntime().maxMemory() / HEAP_SHARES);
  }

  /** @param maxHeld bytes that all registrations together may hold; those in the transactions of one client a quarter of it */
  Activities(InstanceIds ids, LongSupplier clock, long maxHeld) {
    this.ids = ids;
    this.clock = clock;
    this.held = new LocalShares("registrations at this coordinator in transactions that have not expired hold %d bytes", maxHeld);
  }

  static Activities current() {
    return CURRENT.get();
  }

  void open() {
    CURRENT.set(this);
  }

  void close() {
    CURRENT.compareAndSet(this, null);
  }

  InstanceIds ids() {
    return ids;
  }

  /**
   * Forgets what has expired, and takes a place for a transaction of a client.
   *
   * @return null when there is one, and {@link #begun} or {@link #notBegun} must follow; else a sentence that names the limit reached
   */
  synchronized String place(String owner) {
    forgetExpired();
    return places.reserve(owner, 1);
  }

  private void forgetExpired() {
    long now = clock.getAsLong();
    while (!byExpiry.isEmpty() && byExpiry.peek().expiry - now < 0) {
      Activity expired = byExpiry.remove();
      byId.remove(expired.id);
      places.release(expired.owner, 1);
      held.release(expired.owner, expired.held);
      expired.forgetting.forEach(Runnable::run);
    }
  }

  synchronized void begun(String id, String owner, long nanos) {
    Activity activity = new Activity(id, owner, clock.getAsLong() + nanos);
    byId.put(id, activity);
    byExpiry.add(activity);
  }

  /** Gives a place back that was taken for nothing. */
  void notBegun(String owner) {
    places.release(owner, 1);
  }

  /**
   * Counts a registration for the client that has begun the transaction, until that expires. Unknown transactions are left to Narayana.
   *
   * @param bytes what the registration holds in memory
   * @return null when it is counted; else a sentence that names the limit reached
   */
  synchronized String register(String id, long bytes) {
    forgetExpired();
    Activity activity = byId.get(id);
    if (activity == null) {
      return null;
    }
    if (activity.registered >= MAX_REGISTERED) {
      return "The transaction has " + MAX_REGISTERED + " registrations, the maximum of this coordinator. Begin another.";
    }
    String full = held.reserve(activity.owner, bytes);
    if (full == null) {
      activity.registered++;
      activity.held += bytes;
    }
    return full;
  }

  /** Calls this when a transaction expires, so that a client that was to complete it is forgotten. Must not block. */
  synchronized void completes(String id, Runnable forgetting) {
    Activity activity = byId.get(id);
    if (activity != null) {
      activity.forgetting.add(forgetting);
    }
  }
}
