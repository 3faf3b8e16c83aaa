package org.understudy.replication.simulation.checker;

import org.understudy.replication.api.ReadLevel;

/** One operation of a client on one resource, over all its attempts. */
public final class Operation {
  /** How an operation ended. */
  public enum End {
    OPEN,
    RETURNED,
    /** Certainly not executed. */
    REFUSED,
    /** The client stopped waiting: executed once or not at all. */
    UNKNOWN
  }

  private final int number;
  private final String client;
  private final Action action;
  private String resource;
  private final ReadLevel level;
  private final long amount;
  private final long invokedAt;
  private long returnedAt = Long.MAX_VALUE;
  private Observation observation;
  private long index;
  private End end = End.OPEN;

  Operation(int number, String client, Action action, String resource, ReadLevel level, long amount, long invokedAt) {
    this.number = number;
    this.client = client;
    this.action = action;
    this.resource = resource;
    this.level = level;
    this.amount = amount;
    this.invokedAt = invokedAt;
  }

  /** Its place in the history. */
  public int number() {
    return number;
  }

  public Action action() {
    return action;
  }

  public String resource() {
    return resource;
  }

  /** Null for an update. */
  public ReadLevel level() {
    return level;
  }

  public long amount() {
    return amount;
  }

  /** The group chose the name of what was created. */
  public void created(String id) {
    resource = id;
  }

  /** @param at the index of the version handle that came with the answer */
  public void returned(Observation what, long at, long now) {
    observation = what;
    index = at;
    returnedAt = now;
    end = End.RETURNED;
  }

  public void refused() {
    end = End.REFUSED;
  }

  public void unknown() {
    end = End.UNKNOWN;
  }

  /** The name of its client. */
  public String client() {
    return client;
  }

  /** In virtual nanoseconds. */
  public long invokedAt() {
    return invokedAt;
  }

  /** {@link Long#MAX_VALUE} when it has not returned. */
  public long returnedAt() {
    return returnedAt;
  }

  /** What it returned; null when it has not. */
  public Observation observation() {
    return observation;
  }

  long index() {
    return index;
  }

  public End end() {
    return end;
  }

  public boolean update() {
    return action != Action.READ;
  }

  @Override
  public String toString() {
    return action + (update() ? " " + amount : " " + level) + " on " + resource + " by client " + client + " (operation "
        + number + ") at " + invokedAt / 1_000_000 + " ms -> " + end + " " + observation + " at " + index;
  }
}
