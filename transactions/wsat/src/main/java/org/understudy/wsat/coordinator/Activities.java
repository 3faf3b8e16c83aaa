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
  private static final AtomicReference<Activities> CURRENT = new AtomicReference<>();

  private final InstanceIds ids;
  private final LongSupplier clock;
  private final LocalShares places =
      new LocalShares("transactions at this coordinator that have not expired: %d", MAX_OPEN);
  private final Map<String, Activity> byId = new HashMap<>();
  private final PriorityQueue<Activity> byExpiry = new PriorityQueue<>((one, other) -> Long.signum(one.expiry - other.expiry));

  /** A transaction. */
  private static final class Activity {
    private final String id;
    private final String owner;
    private final long expiry;
    private int registered;
    private final List<Runnable> forgetting = new ArrayList<>();

    private Activity(String id, String owner, long expiry) {
      this.id = id;
      this.owner = owner;
      this.expiry = expiry;
    }
  }

  /** @param clock as {@code System.nanoTime} */
  Activities(InstanceIds ids, LongSupplier clock) {
    this.ids = ids;
    this.clock = clock;
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
    long now = clock.getAsLong();
    while (!byExpiry.isEmpty() && byExpiry.peek().expiry - now < 0) {
      Activity expired = byExpiry.remove();
      byId.remove(expired.id);
      places.release(expired.owner, 1);
      expired.forgetting.forEach(Runnable::run);
    }
    return places.reserve(owner, 1);
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

  /** Counts a registration. Returns false, and does not, when the transaction has its maximum; unknown ones are left to Narayana. */
  synchronized boolean mayRegister(String id) {
    Activity activity = byId.get(id);
    if (activity == null) {
      return true;
    }
    if (activity.registered >= MAX_REGISTERED) {
      return false;
    }
    activity.registered++;
    return true;
  }

  /** Calls this when a transaction expires, so that a client that was to complete it is forgotten. Must not block. */
  synchronized void completes(String id, Runnable forgetting) {
    Activity activity = byId.get(id);
    if (activity != null) {
      activity.forgetting.add(forgetting);
    }
  }
}
