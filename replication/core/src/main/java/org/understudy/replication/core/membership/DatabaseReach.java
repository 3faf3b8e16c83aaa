package org.understudy.replication.core.membership;

import java.util.Map;
import java.util.TreeMap;
import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.core.ReplicaSetup;
import org.understudy.replication.core.Rule;

/**
 * Which replicas reach the database that decides updates. A primary that does not gives way, if the others in its view are a majority and
 * one of them does: it has no authority and promises nothing, as if its disk hung, so that they form a view without it. It tries for some
 * suspicion times, then goes on for as many, because something else may keep them from that.
 */
public final class DatabaseReach {
  private static final int TRIED_SUSPICIONS = 6;

  private final ReplicaSetup setup;
  private final Map<ReplicaId, Sight> others = new TreeMap<>();
  private boolean used;
  private boolean lost;
  /** Since when the conditions for giving way have been met; 0 while they are not. */
  private long since;

  /** What another replica has told last, and when. */
  private record Sight(boolean reached, long at) {}

  DatabaseReach(ReplicaSetup setup) {
    this.setup = setup;
  }

  /** Called first when the service has a part of its state in a database, then whenever it begins or ceases to answer. */
  public void seen(boolean answers) {
    used = true;
    lost = !answers;
  }

  /** Whether this replica has a database, and it does not answer. */
  public boolean isLost() {
    return lost;
  }

  /** Whether this replica has a database, and it answers. */
  boolean isReached() {
    return used && !lost;
  }

  /** Another replica has acknowledged a heartbeat. */
  void told(long now, ReplicaId from, boolean reached) {
    others.put(from, new Sight(reached, now));
  }

  /** Called by the primary, at each tick. */
  void tick(long now) {
    int heard = 0;
    boolean reached = false;
    for (Sight sight : others.values()) {
      if (now - sight.at() <= setup.timing().suspectNanos()) {
        heard++;
        reached |= sight.reached();
      }
    }
    boolean met = lost && reached && heard >= setup.majority() && setup.enforces(Rule.PRIMARY_WITHOUT_DATABASE_GIVES_WAY);
    since = !met ? 0 : since == 0 ? Math.max(1, now) : since;
  }

  /** Whether this primary gives way. */
  boolean givesWay(long now) {
    return since != 0 && (now - since) / (TRIED_SUSPICIONS * setup.timing().suspectNanos()) % 2 == 0;
  }

  /** This replica leads no view, or begins to lead one. */
  void clear() {
    others.clear();
    since = 0;
  }
}
