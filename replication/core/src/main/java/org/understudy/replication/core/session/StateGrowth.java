package org.understudy.replication.core.session;

import java.util.Map;
import java.util.TreeMap;
import org.understudy.replication.core.limit.KeyKind;
import org.understudy.replication.core.limit.ReplicatedLimits;
import org.understudy.replication.core.limit.Shares;

/** What an execution would add to the state, and whether the limits permit it. */
final class StateGrowth {
  private static final String BYTES = "bytes of resources";
  private static final String BYTES_LIMIT = "understudy.state.bytes";

  private final ReplicatedLimits limits;
  private final Map<Long, Long> bytes = new TreeMap<>();
  private final Map<String, KeyKind> kinds = new TreeMap<>();
  private final Map<String, Map<Long, Long>> keys = new TreeMap<>();
  private long total;
  /** The part of it that is in children of other owners' keys. */
  private long inParts;

  StateGrowth(ReplicatedLimits limits) {
    this.limits = limits;
  }

  /** Adds a key that is written, or with negative numbers removed. */
  void add(KeyKind kind, long owner, long moreBytes, long moreKeys) {
    total += moreBytes;
    bytes.merge(owner, moreBytes, Long::sum);
    if (kind.payer() == KeyKind.Payer.PARENT) {
      inParts += moreBytes;
    }
    if (limits.max(kind) > 0) {
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
   * Which limit or share is exceeded, as a sentence; null for none.
   *
   * @param writer the owner that pays for keys without an owner
   */
  String excess(StateShares present, long writer) {
    int percent = limits.callerPercent();
    for (Map.Entry<String, KeyKind> entry : kinds.entrySet()) {
      KeyKind kind = entry.getValue();
      long max = limits.max(kind);
      Shares numbers = present.numbers(kind);
      for (Map.Entry<Long, Long> more : keys.get(entry.getKey()).entrySet()) {
        if (more.getValue() > 0 && !numbers.admits(more.getKey(), more.getValue(), max, percent)) {
          return sentence(kind.subject(), kind.limit(), numbers, more.getKey(), more.getValue(), max, percent);
        }
      }
    }
    if (total <= 0) {
      return null;
    }
    for (Map.Entry<Long, Long> more : bytes.entrySet()) {
      if (more.getValue() > 0 && !hasRoom(present.bytes(), more.getKey(), more.getValue(), writer)) {
        return sentence(
            BYTES, BYTES_LIMIT, present.bytes(), more.getKey(), more.getValue(), limits.state(), percent);
      }
    }
    return null;
  }

  /** Which limit of the group is exceeded, whoever pays for the keys, as a sentence; null for none. */
  String excessOfGroup(StateShares present) {
    for (Map.Entry<String, KeyKind> entry : kinds.entrySet()) {
      KeyKind kind = entry.getValue();
      long more = keys.get(entry.getKey()).values().stream().mapToLong(Long::longValue).sum();
      long used = present.numbers(kind).total();
      if (more > 0 && used + more > limits.max(kind)) {
        return ofGroup(used + more, kind.subject(), limits.max(kind), kind.limit());
      }
    }
    long used = present.bytes().total();
    long max = limits.state();
    return total > 0 && used + total > max ? ofGroup(used + total, BYTES, max, BYTES_LIMIT) : null;
  }

  private boolean hasRoom(Shares used, long owner, long more, long writer) {
    long max = limits.state();
    if (owner != 0) {
      return used.admits(owner, more, max, limits.callerPercent());
    }
    return used.total() + more <= max || used.admits(writer, more, max, limits.callerPercent());
  }

  private static String sentence(
      String subject, String limit, Shares used, long owner, long more, long max, int percent) {
    long share = Shares.share(max, percent);
    return owner != 0 && used.used(owner) + more > share
        ? "One caller would have " + (used.used(owner) + more) + " " + subject + ", above the share of " + share
            + " that each has (" + limit + ", understudy.caller.share)."
        : ofGroup(used.total() + more, subject, max, limit);
  }

  private static String ofGroup(long would, String subject, long max, String limit) {
    return "The group would have " + would + " " + subject + ", above the limit of " + max + " (" + limit + ").";
  }
}
