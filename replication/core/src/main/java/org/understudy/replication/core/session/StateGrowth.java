package org.understudy.replication.core.session;

import java.util.Map;
import java.util.TreeMap;
import org.understudy.replication.core.ByteLimits;
import org.understudy.replication.core.KeyKind;
import org.understudy.replication.core.Limits;
import org.understudy.replication.core.Shares;

/** What an execution would add to the state, and whether there is room for it. */
final class StateGrowth {
  private final Map<Long, Long> bytes = new TreeMap<>();
  private final Map<String, KeyKind> kinds = new TreeMap<>();
  private final Map<String, Map<Long, Long>> keys = new TreeMap<>();
  private long total;
  /** Of that, in parts of what somebody else made. */
  private long inParts;

  /** Counts a key that is written (or removed, if the numbers are below zero). */
  void add(KeyKind kind, long owner, long moreBytes, long moreKeys) {
    total += moreBytes;
    bytes.merge(owner, moreBytes, Long::sum);
    if (kind.payer() == KeyKind.Payer.PARENT) {
      inParts += moreBytes;
    }
    if (kind.most() > 0) {
      kinds.put(kind.prefix(), kind);
      keys.computeIfAbsent(kind.prefix(), prefix -> new TreeMap<>()).merge(owner, moreKeys, Long::sum);
    }
  }

  /** Above zero when the state grows. */
  long total() {
    return total;
  }

  /** Whether parts of keys grow, such as the messages that wait in a pull point. */
  boolean isOfParts() {
    return inParts > 0;
  }

  /**
   * Which limit, or whose share of one, is met, as a sentence; null when there is room.
   *
   * @param writer in whose share keys without an owner are admitted
   */
  String excess(StateShares present, Limits limits, long writer) {
    int percent = limits.callerPercent();
    for (Map.Entry<String, KeyKind> entry : kinds.entrySet()) {
      KeyKind kind = entry.getValue();
      Shares numbers = present.numbers(kind);
      for (Map.Entry<Long, Long> more : keys.get(entry.getKey()).entrySet()) {
        if (more.getValue() > 0 && !numbers.admits(more.getKey(), more.getValue(), kind.most(), percent)) {
          return sentence(kind.subject(), kind.limit(), numbers, more.getKey(), more.getValue(), kind.most(), percent);
        }
      }
    }
    if (total <= 0) {
      return null;
    }
    ByteLimits most = limits.bytes();
    for (Map.Entry<Long, Long> more : bytes.entrySet()) {
      if (more.getValue() > 0 && !hasRoom(present.bytes(), more.getKey(), more.getValue(), writer, limits)) {
        return sentence(
            "bytes of resources", "understudy.state.bytes", present.bytes(), more.getKey(), more.getValue(), most.state(),
            percent);
      }
    }
    return null;
  }

  private static boolean hasRoom(Shares used, long owner, long more, long writer, Limits limits) {
    long most = limits.bytes().state();
    if (owner != 0) {
      return used.admits(owner, more, most, limits.callerPercent());
    }
    return used.total() + more <= most || used.admits(writer, more, most, limits.callerPercent());
  }

  private static String sentence(
      String subject, String limit, Shares used, long owner, long more, long most, int percent) {
    long share = Shares.share(most, percent);
    return owner != 0 && used.used(owner) + more > share
        ? "One caller would have " + (used.used(owner) + more) + " " + subject + ", above the share of " + share
            + " that each has (" + limit + ", understudy.caller.share)."
        : "The group would have " + (used.total() + more) + " " + subject + ", above the limit of " + most + " (" + limit
            + ").";
  }
}
