package org.understudy.replication.core.relay;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.core.relay.RelayMessage.LinkReport;

/**
 * Decides through which replica messages travel to another one: directly while that link works in both directions, or nobody is known to
 * have a better one; otherwise through the first replica whose links to both ends work. A detour lasts until the link works again, or
 * nobody has had a better one for long: reports that are late, as on links with jitter, do not end it. A replica that passes messages on
 * never asks another one to, so a detour has two links and cannot be a circle.
 *
 * <p>Pure: time is an argument. Not thread-safe.
 */
public final class Detours {
  /** Of the suspicion time: a detour begins before the other replica is suspected. */
  private static final int REPORTS_IN_SUSPICION = 8;

  private static final int REPORTS_MISSED = 3;
  /** How long another replica must have the better links to one that was never linked here: those of one that starts come one by one. */
  private static final int INTERVALS_HELD = 2;
  /** After so many intervals without a better link a detour is given up: the other replica is gone. */
  private static final int INTERVALS_KEPT = 24;

  /** The way to a replica whose link does not work. */
  private static final class Way {
    private final long since;
    private ReplicaId through;
    /** When that one was last known to have the better links. */
    private long confirmedAt;

    private Way(long since, ReplicaId through) {
      this.since = since;
      this.through = through;
      this.confirmedAt = since;
    }
  }

  private record Last(LinkReport report, long at) {}

  private final ReplicaId self;
  private final List<ReplicaId> peers;
  private final long intervalNanos;
  private final Map<ReplicaId, Last> reports = new TreeMap<>();
  private final Map<ReplicaId, Way> ways = new TreeMap<>();
  /** Those whose links have worked, so that they would soon work again if nothing had happened. */
  private final Set<ReplicaId> linkedBefore = new TreeSet<>();

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

  /**
   * Takes a hint that the process of another replica is gone: it refuses connections, or a firewall does for it. Its link does not work.
   *
   * @return whether the hint counts: false while a third replica reports that its link to that one works. If the process is gone, that one
   *     is refused as well, and says so in its next report
   */
  public boolean refused(ReplicaId peer, long now) {
    reports.remove(peer);
    return linkedTo(peer, now) == null;
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
      if (isLinked(to, now)) {
        ways.remove(to);
        linkedBefore.add(to);
        continue;
      }
      Way way = way(to, now);
      if (way != null && (linkedBefore.contains(to) || now - way.since >= INTERVALS_HELD * intervalNanos)) {
        detours.put(to, way.through);
      }
    }
    return detours;
  }

  private Way way(ReplicaId to, long now) {
    ReplicaId better = linkedTo(to, now);
    Way way = ways.get(to);
    if (way == null && better != null) {
      way = new Way(now, better);
      ways.put(to, way);
    } else if (better != null) {
      // The same one, while it has the better links.
      way.through = hasLinks(way.through, to, now) ? way.through : better;
      way.confirmedAt = now;
    } else if (way != null && now - way.confirmedAt >= INTERVALS_KEPT * intervalNanos) {
      ways.remove(to);
      way = null;
    }
    if (way == null && isGone(to, now)) {
      linkedBefore.remove(to);
    }
    return way;
  }

  private boolean isGone(ReplicaId peer, long now) {
    Last last = reports.get(peer);
    return last == null || now - last.at() > REPORTS_IN_SUSPICION * intervalNanos;
  }

  /** Whether messages to this replica have taken a detour for so long. */
  public boolean isBypassed(ReplicaId to, long now, long nanos) {
    Way way = ways.get(to);
    return way != null && now - way.since >= nanos;
  }

  /** The first replica whose links to that one and to this one work; null for none. */
  private ReplicaId linkedTo(ReplicaId to, long now) {
    for (ReplicaId through : peers) {
      if (hasLinks(through, to, now)) {
        return through;
      }
    }
    return null;
  }

  private boolean hasLinks(ReplicaId through, ReplicaId to, long now) {
    return isLinked(through, now) && reports.get(through).report().linked().contains(to);
  }

  private boolean hears(ReplicaId peer, long now) {
    Last last = reports.get(peer);
    return last != null && now - last.at() <= REPORTS_MISSED * intervalNanos;
  }

  private boolean isLinked(ReplicaId peer, long now) {
    return hears(peer, now) && reports.get(peer).report().heard().contains(self);
  }
}
