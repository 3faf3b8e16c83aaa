package org.understudy.container.balancing;

import java.util.List;
import java.util.function.ToIntFunction;
import org.understudy.replication.api.ReplicaId;

/**
 * Decides which replica serves a request, by load indexes and a threshold (Bartoli et al. 2005, Fig. 4). The figure leaves open what
 * happens when no replica is below the threshold: then this one serves the request. A request moves once at most. A pure function.
 *
 * @param threshold the index from which on a replica passes requests on; {@link #OFF} for never
 */
public record ThresholdPolicy(int threshold) {
  /** No replica passes requests on. */
  public static final int OFF = Integer.MAX_VALUE;

  /**
   * Returns where the request is served.
   *
   * @param own the index of this replica
   * @param others the other replicas that serve the request
   * @param index the index of each of them; negative when it is not known
   * @param redirects whether clients can reach each replica at an address of its own
   * @param forwards whether this replica has room to forward a request
   */
  public Decision decide(
      Arrival arrival, int own, List<ReplicaId> others, ToIntFunction<ReplicaId> index, boolean redirects, boolean forwards) {
    if (own < threshold || arrival.moved()) {
      return Decision.Serve.HERE;
    }
    boolean redirect = redirects && arrival.redirectable();
    ReplicaId to = redirect || forwards ? leastLoaded(others, index) : null;
    if (to == null) {
      return Decision.Serve.HERE;
    }
    return redirect ? new Decision.Redirect(to) : new Decision.Forward(to);
  }

  /** The try set of Fig. 4 has the replicas below the threshold. Returns the one with the lowest index; null for an empty set. */
  private ReplicaId leastLoaded(List<ReplicaId> others, ToIntFunction<ReplicaId> index) {
    ReplicaId least = null;
    int lowest = threshold;
    for (ReplicaId other : others) {
      int one = index.applyAsInt(other);
      if (one >= 0 && one < lowest) {
        lowest = one;
        least = other;
      }
    }
    return least;
  }
}
