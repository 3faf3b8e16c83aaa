package org.understudy.container.balancing;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.IntSupplier;
import org.understudy.container.configuration.Configuration;
import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.api.RequestClass;
import org.understudy.replication.core.LoadBoard;
import org.understudy.replication.runtime.Replica;

/**
 * The load-balancing interceptor (Bartoli et al. 2005, 3.2.5 and Fig. 4): accepts a request, or passes it to a replica with less load.
 * Thread-safe; does not block.
 */
public final class LoadBalancing {
  private final Replica replica;
  private final ReplicaId self;
  private final ThresholdPolicy policy;
  private final boolean redirects;
  private final OwnLoad own;
  private final LongAdder redirected = new LongAdder();
  private final LongAdder forwarded = new LongAdder();
  private volatile Recent recent = new Recent(LoadBoard.EMPTY);

  /** The board, and the requests passed to each replica since it came: otherwise all of them would go to the same one. */
  private static final class Recent {
    private final LoadBoard board;
    private final Map<ReplicaId, LongAdder> passed = new ConcurrentHashMap<>();

    Recent(LoadBoard board) {
      this.board = board;
    }

    int index(ReplicaId replica) {
      int index = board.index(replica);
      LongAdder since = passed.get(replica);
      return index < 0 || since == null ? index : (int) Math.min(LoadBoard.MAX, index + since.sum());
    }

    void passed(ReplicaId replica) {
      passed.computeIfAbsent(replica, first -> new LongAdder()).increment();
    }
  }

  /**
   * @param replica reports the load index of this replica to the others
   * @param inProgress the number of requests in progress, the default index
   */
  public LoadBalancing(Configuration configuration, Replica replica, IntSupplier inProgress) {
    this.replica = replica;
    this.self = configuration.self();
    this.policy = new ThresholdPolicy(configuration.loadThreshold());
    this.redirects = !configuration.hasOneClientUrl();
    this.own = new OwnLoad(inProgress, configuration.loadIndex());
    if (configuration.loadThreshold() != ThresholdPolicy.OFF) {
      replica.measureLoad(own::measure);
    }
  }

  /**
   * Decides which replica serves a request that this one serves too. Counts what it passes on.
   *
   * @param forwards whether there is room to forward a request
   */
  public Decision decide(Arrival arrival, RequestClass requestClass, boolean forwards) {
    if (policy.threshold() == ThresholdPolicy.OFF) {
      return Decision.Serve.HERE;
    }
    List<ReplicaId> servers = replica.routing().servers(requestClass);
    if (!servers.contains(self)) {
      return Decision.Serve.HERE;
    }
    Recent now = recent();
    List<ReplicaId> others = servers.stream().filter(server -> !server.equals(self)).toList();
    Decision decision = policy.decide(arrival, own.current(), others, now::index, redirects, forwards);
    if (decision instanceof Decision.Redirect redirect) {
      now.passed(redirect.to());
      redirected.increment();
    } else if (decision instanceof Decision.Forward forward) {
      now.passed(forward.to());
      forwarded.increment();
    }
    return decision;
  }

  private Recent recent() {
    LoadBoard board = replica.loads();
    Recent known = recent;
    if (known.board != board) {
      known = new Recent(board);
      recent = known;
    }
    return known;
  }

  /** Returns the number of requests whose clients were redirected. */
  public long redirected() {
    return redirected.sum();
  }

  /** Returns the number of requests that were forwarded because of their load. */
  public long forwarded() {
    return forwarded.sum();
  }
}
