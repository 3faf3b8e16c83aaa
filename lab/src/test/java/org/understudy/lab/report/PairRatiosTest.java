package org.understudy.lab.report;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

/** The middle of several pairs, and their spread. */
class PairRatiosTest {
  @Test
  void onePairThatDiffersDoesNotMoveTheMedian() {
    PairRatios ratios = new PairRatios(List.of(1.5, 9.0, 1.4));
    assertEquals(1.5, ratios.median());
    assertEquals(1.4, ratios.lowest());
    assertEquals(9.0, ratios.highest());
    assertEquals("1.50 9.00 1.40", ratios.toString());
  }

  @Test
  void theMedianOfAnEvenNumberIsBetweenTheTwoInTheMiddle() {
    assertEquals(1.5, new PairRatios(List.of(1.0, 2.0, 8.0, 0.5)).median());
  }
}
