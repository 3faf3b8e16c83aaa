package org.understudy.lab.demo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class FaultsTest {
  private final Faults faults = new Faults(3);

  @Test
  void eachFaultNeedsAClientOfItsReplica() {
    faults.caused(1);
    faults.caused(1);
    faults.caused(3);
    faults.followed(1, 1);
    faults.followed(2, 5);
    faults.followed(3, 1);
    assertFalse(faults.areFollowed(), "the second of replica 1: " + faults);
    faults.followed(1, 2);
    faults.followed(1, 0);
    assertTrue(faults.areFollowed(), faults.toString());
    assertEquals(8, faults.followed());
  }
}
