package org.understudy.lab.report;

import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * What was measured with several pairs of fresh servers, each as a ratio to the one it is compared with. Two JVMs compile the same code
 * differently, so one pair alone says little.
 *
 * @param each in the order in which they were measured, at least one
 */
public record PairRatios(List<Double> each) {
  public PairRatios {
    each = List.copyOf(each);
  }

  /** The middle one; the mean of the two in the middle if their number is even. */
  public double median() {
    List<Double> sorted = each.stream().sorted().toList();
    int middle = sorted.size() / 2;
    return sorted.size() % 2 == 1 ? sorted.get(middle) : (sorted.get(middle - 1) + sorted.get(middle)) / 2;
  }

  public double lowest() {
    return each.stream().mapToDouble(Double::doubleValue).min().orElseThrow();
  }

  public double highest() {
    return each.stream().mapToDouble(Double::doubleValue).max().orElseThrow();
  }

  /** All of them with two digits, in the order of their pairs. */
  @Override
  public String toString() {
    return each.stream().map(one -> String.format(Locale.ROOT, "%.2f", one)).collect(Collectors.joining(" "));
  }
}
