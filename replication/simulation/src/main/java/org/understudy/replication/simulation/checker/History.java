package org.understudy.replication.simulation.checker;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.understudy.replication.api.ReadLevel;

/** What clients asked and were told, and who was primary when. */
public final class History {
  /** How an operation ended. */
  public enum End {
    OPEN,
    RETURNED,
    REFUSED,
    UNKNOWN
  }

  /** One operation on one counter. */
  public static final class Operation {
    private final int client;
    private final String manner;
    private final String resource;
    private final ReadLevel level;
    private final long amount;
    private final long invokedAt;
    private final int orderOfClient;
    private long returnedAt = Long.MAX_VALUE;
    private long value;
    private End end = End.OPEN;

    private Operation(int client, String manner, String resource, ReadLevel level, long amount, long at, int order) {
      this.client = client;
      this.manner = manner;
      this.resource = resource;
      this.level = level;
      this.amount = amount;
      this.invokedAt = at;
      this.orderOfClient = order;
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

    public void returned(long result, long at) {
      value = result;
      returnedAt = at;
      end = End.RETURNED;
    }

    public void refused() {
      end = End.REFUSED;
    }

    public void unknown() {
      end = End.UNKNOWN;
    }

    int client() {
      return client;
    }

    String manner() {
      return manner;
    }

    long invokedAt() {
      return invokedAt;
    }

    long returnedAt() {
      return returnedAt;
    }

    /** What was told. */
    public long value() {
      return value;
    }

    public End end() {
      return end;
    }

    boolean update() {
      return level == null;
    }

    @Override
    public String toString() {
      return (update() ? "add " + amount : "read " + level) + " on " + resource + " by client " + client + " (#"
          + orderOfClient + ", " + manner + ") at " + invokedAt / 1_000_000 + " ms -> " + end + " " + value;
    }
  }

  private final List<Operation> operations = new ArrayList<>();
  private final Map<Long, Integer> primaries = new TreeMap<>();
  private final List<String> violations = new ArrayList<>();

  public Operation invoked(
      int client, String manner, String resource, ReadLevel level, long amount, long at, int orderOfClient) {
    Operation operation = new Operation(client, manner, resource, level, amount, at, orderOfClient);
    operations.add(operation);
    return operation;
  }

  public void primary(int replica, long epoch) {
    Integer other = primaries.putIfAbsent(epoch, replica);
    if (other != null && other != replica) {
      violation("one primary an epoch", "replicas " + other + " and " + replica + " both led epoch " + epoch);
    }
  }

  public List<Operation> operations() {
    return operations;
  }

  public int epochs() {
    return primaries.size();
  }

  public void violation(String checker, String what) {
    violations.add(checker + ": " + what);
  }

  public List<String> violations() {
    return violations;
  }
}
