package org.understudy.lab.torture.check;

import java.util.ArrayList;
import java.util.List;
import org.understudy.lab.torture.history.Operation;

/** Explains gaps between known values of a counter by updates of unknown outcome, each used once at most. Exact, with a budget. */
final class UnknownSums {
  private static final int MAX_STEPS = 20_000_000;

  private final List<Operation> unknown;
  private final boolean[] used;
  private int steps;
  private int furthest;

  /** @param unknown in the order in which they began */
  UnknownSums(List<Operation> unknown) {
    this.unknown = new ArrayList<>(unknown);
    this.used = new boolean[unknown.size()];
  }

  /**
   * Two neighbouring known values that no acknowledged update connects.
   *
   * @param latest the latest begin of an update that can be part of it
   */
  record Gap(int from, int to, long latest) {
    Gap(int from, int to) {
      this(from, to, Long.MAX_VALUE);
    }

    Gap before(long time) {
      return new Gap(from, to, time);
    }
  }

  /**
   * The result.
   *
   * @param gap one that is not explained, or null if all are
   * @param decided false if the budget was used up
   */
  record Answer(Gap gap, boolean decided) {}

  Answer explain(List<Gap> gaps) {
    furthest = 0;
    boolean explained = explain(gaps, 0);
    return new Answer(explained ? null : gaps.get(furthest), steps <= MAX_STEPS);
  }

  private boolean explain(List<Gap> gaps, int index) {
    if (index == gaps.size()) {
      return true;
    }
    furthest = Math.max(furthest, index);
    return sum(gaps, index, 0, gaps.get(index).to() - gaps.get(index).from());
  }

  /** Tries the unknown updates from {@code next} on for what is left of a gap, and then explains the gaps after it. */
  private boolean sum(List<Gap> gaps, int index, int next, int left) {
    if (left == 0) {
      return explain(gaps, index + 1);
    }
    for (int i = next; i < unknown.size() && unknown.get(i).invoked() <= gaps.get(index).latest(); i++) {
      if (++steps > MAX_STEPS) {
        return false;
      }
      if (!used[i] && unknown.get(i).amount() <= left) {
        used[i] = true;
        if (sum(gaps, index, i + 1, left - unknown.get(i).amount())) {
          return true;
        }
        used[i] = false;
      }
    }
    return false;
  }
}
