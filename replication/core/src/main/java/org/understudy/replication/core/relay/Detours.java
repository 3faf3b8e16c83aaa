package org.understudy.replication.core.relay;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.core.relay.RelayMessage.LinkReport;

/**
 * Decides through which replica messages travel to another one: directly while that link works in both directions, or nobody is known to
 * have a better one; otherwise through the first replica whose links to both ends work. A replica that passes messages on never asks
 * another one to, so a detour has two links and cannot be a circle.
 *
 * <p>Pure: time is an argument. Not thread-safe.
 */
public final class Detours {
  /** Of the suspicion time: a detour begins before the other replica is suspected. */
  private static final int REPORTS_IN_SUSPICION = 8;

  private static final int REPORTS_MISSED = 3;
  /** How long another replica must have the better links: those of a replica that has just started come one after another. */
  private static final int INTERVALS_HELD = 2;

  private record Last(LinkReport report, long at) {}

  private final ReplicaId self;
  private final List<ReplicaId> peers;
  private final long intervalNanos;
  private final Map<ReplicaId, Last> reports = new TreeMap<>();
  /** Since when others have had better links to these. */
  private final Map<ReplicaId, Long> since = new TreeMap<>();

  /**
   * @param peers the other replicas
   * @param suspectNanos the silence after which a replica is suspected
   */
  public Detours(ReplicaId self, List<ReplicaId> peers, long suspectNanos) {
    this.self = self;
    this.peers = List.copyOf(peers);
    this.intervalNanos = suspectNanos / REPORTS_IN_SUSPICION;
  }

  /** How often a replica sends {@link #report} to each other one, directly. */
  public long intervalNanos() {
    return intervalNanos;
  }

  /** Takes the report of another replica, which has arrived directly. */
  public void reported(ReplicaId from, LinkReport report, long now) {
    reports.put(from, new Last(report, now));
  }

  /** What this replica tells the others of its links. */
  public LinkReport report(long now) {
    List<ReplicaId> heard = new ArrayList<>();
    List<ReplicaId> linked = new ArrayList<>();
    for (ReplicaId peer : peers) {
      if (hears(peer, now)) {
        heard.add(peer);
      }
      if (isLinked(peer, now)) {
        linked.add(peer);
      }
    }
    return new LinkReport(heard, linked);
  }

  /** The replicas that are reached through others from now on, each with the one that passes messages on. Called at each tick. */
  public Map<ReplicaId, ReplicaId> at(long now) {
    Map<ReplicaId, ReplicaId> detours = new TreeMap<>();
    for (ReplicaId to : peers) {
      ReplicaId through = isLinked(to, now) ? null : linkedTo(to, now);
      if (through == null) {
        since.remove(to);
      } else if (now - since.computeIfAbsent(to, none -> now) >= INTERVALS_HELD * intervalNanos) {
        detours.put(to, through);
      }
    }
    return detours;
  }

  /** The first replica whose links to that one and to this one work; null for none. */
  private ReplicaId linkedTo(ReplicaId to, long now) {
    for (ReplicaId through : peers) {
      if (isLinked(through, now) && reports.get(through).report().linked().contains(to)) {
        return through;
      }
    }
    return null;
  }

  private boolean hears(ReplicaId peer, long now) {
    Last last = reports.get(peer);
    return last != null && now - last.at() <= REPORTS_MISSED * intervalNanos;
  }

  private boolean isLinked(ReplicaId peer, long now) {
    return hears(peer, now) && reports.get(peer).report().heard().contains(self);
  }
}
