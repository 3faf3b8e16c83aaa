package org.understudy.container.transaction;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.understudy.replication.runtime.Replica;
import org.understudy.replication.runtime.handshake.RefusalLog;

/**
 * Which transactions have been in doubt for so long that an operator should look: once when the time is over, and again each time their age
 * has doubled, at least once an hour. Not thread-safe.
 */
final class DoubtWarnings {
  private static final Logger LOG = LoggerFactory.getLogger(DoubtWarnings.class);
  private static final long MAX_INTERVAL_NANOS = TimeUnit.HOURS.toNanos(1);
  private static final int MAX_LINES = 5;
  private static final int MAX_RESOURCES = 5;

  private final long patienceNanos;
  private final LostDecisions lost;
  private final Map<String, Watched> watched = new HashMap<>();

  /**
   * A transaction in doubt.
   *
   * @param coordinator what decides it, for example "the group orders"
   * @param resources the keys of the objects that it has changed
   * @param lost whether its objects in memory are lost, and only its part of the database is prepared
   */
  record Doubt(String transaction, String coordinator, List<String> resources, boolean lost) {}

  /** @param next the time of the next warning */
  private record Watched(long since, long next) {}

  /**
   * @param patienceNanos for how long a transaction may be in doubt without a warning
   * @param lost the transactions for whose decisions it is useless to wait
   */
  DoubtWarnings(long patienceNanos, LostDecisions lost) {
    this.patienceNanos = patienceNanos;
    this.lost = lost;
  }

  /** Logs what is due at this primary; nothing at other replicas. */
  void log(Replica replica, LeftBranches left) {
    List<Doubt> doubts = new ArrayList<>();
    if (replica.routing().servesUpdates()) {
      replica.undecided().forEach(
          one -> doubts.add(
              new Doubt(
                  one.participant().transaction(), coordinator(one.participant().restText()), one.resources(), false)));
      left.lost().forEach(one -> doubts.add(new Doubt(one.transaction(), coordinator(one.part()), List.of(), true)));
    }
    due(doubts, System.nanoTime()).forEach(LOG::warn);
  }

  /** What decides a part, for sentences. */
  static String coordinator(String part) {
    int space = part.indexOf(' ');
    return space < 0 ? "its coordinator" : "the group " + part.substring(0, space);
  }

  /**
   * Returns the sentences to log, oldest first.
   *
   * @param doubts all that are in doubt now; what is missing is forgotten
   * @param now in {@link System#nanoTime()}
   */
  List<String> due(List<Doubt> doubts, long now) {
    watched.keySet().retainAll(doubts.stream().map(Doubt::transaction).collect(Collectors.toSet()));
    List<Doubt> due = new ArrayList<>();
    for (Doubt doubt : doubts) {
      Watched one = watched.computeIfAbsent(doubt.transaction(), id -> new Watched(now, now + patienceNanos));
      if (now - one.next() >= 0) {
        long age = now - one.since();
        watched.put(doubt.transaction(), new Watched(one.since(), now + Math.min(Math.max(age, patienceNanos), MAX_INTERVAL_NANOS)));
        due.add(doubt);
      }
    }
    due.sort((a, b) -> Long.compare(watched.get(a.transaction()).since() - now, watched.get(b.transaction()).since() - now));
    List<String> sentences = new ArrayList<>();
    for (Doubt doubt : due.subList(0, Math.min(MAX_LINES, due.size()))) {
      sentences.add(sentence(doubt, TimeUnit.NANOSECONDS.toSeconds(now - watched.get(doubt.transaction()).since())));
    }
    if (due.size() > MAX_LINES) {
      sentences.add(
          due.size() - MAX_LINES + " more transactions are in doubt for long. List them with scripts/transactions "
              + ProcessHandle.current().pid() + ".");
    }
    return sentences;
  }

  private String sentence(Doubt doubt, long seconds) {
    // The id may come from a client.
    String id = RefusalLog.printable(doubt.transaction());
    boolean hopeless = lost.contains(doubt.transaction());
    String why = hopeless ? " has lost its memory and with it the decision. " : " has not sent its decision. ";
    String then =
        hopeless
            ? " Look at its changes in the other groups and at the answer to its client, then decide with "
            : " Start the coordinator, or restore its network. If it is lost for good, decide with ";
    String command = "scripts/transactions " + ProcessHandle.current().pid() + " commit " + id;
    return "The transaction " + id + " is in doubt for " + seconds + " s: this group has voted, and " + doubt.coordinator() + why
        + locked(doubt) + then + command + ", or abort instead of commit.";
  }

  private static String locked(Doubt doubt) {
    if (doubt.lost()) {
      return "The group has lost its memory since. The transaction's part of the database is prepared, and its rows stay locked.";
    }
    List<String> keys = doubt.resources().stream().filter(key -> !key.startsWith(DatabaseBranches.PREFIX)).toList();
    String rows = keys.size() < doubt.resources().size() ? " and rows of its database" : "";
    String more = keys.size() > MAX_RESOURCES ? " and " + (keys.size() - MAX_RESOURCES) + " more" : "";
    return "Requests for " + String.join(", ", keys.subList(0, Math.min(MAX_RESOURCES, keys.size()))) + more + rows + " wait and fail.";
  }
}
