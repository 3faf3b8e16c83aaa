package org.understudy.replication.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.understudy.replication.core.limit.Shares;

class SharesTest {
  private static final long LIMIT = 10_000;

  private static long fill(Shares shares, long owner) {
    long filled = 0;
    while (shares.admits(owner, 1, LIMIT)) {
      shares.add(owner, 1);
      filled++;
    }
    return filled;
  }

  @Test
  void anOwnerUsesAtMostHalfOfALimit() {
    Shares shares = new Shares();
    assertEquals(5_000, fill(shares, 1));
    assertEquals(5_000, fill(shares, 2));
    assertEquals(833, fill(shares, 3), "a quarter of a third");
    assertFalse(shares.admits(1, 1, LIMIT));
    shares.add(1, -4_500);
    assertTrue(shares.admits(1, 1, LIMIT), "below its part again");
  }

  @Test
  void ownersTogetherUseAtMostTwiceTheLimit() {
    Shares shares = new Shares();
    for (long owner = 1; owner <= 100; owner++) {
      assertTrue(fill(shares, owner) > 0, "owner " + owner);
    }
    for (long owner = 101; owner <= 10_000; owner++) {
      fill(shares, owner);
    }
    assertTrue(shares.total() <= 2 * LIMIT, "in use: " + shares.total());
  }

  @Test
  void releasedAmountsNoLongerCount() {
    Shares shares = new Shares();
    shares.add(1, 40);
    shares.add(1, -40);
    shares.add(2, 5_000);
    shares.add(3, 5_000);
    assertEquals(LIMIT, shares.total());
    assertEquals(833, fill(shares, 1));
  }
}
