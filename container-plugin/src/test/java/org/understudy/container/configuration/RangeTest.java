package org.understudy.container.configuration;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import org.junit.jupiter.api.Test;

class RangeTest {
  @Test
  void aNumberIsWithinBothEnds() {
    Range range = Range.number(5, 10_000);
    assertEquals("5 to 10000", range.toString());
    assertNull(range.fault("5"));
    assertNull(range.fault("10000"));
    for (String wrong : new String[] {"4", "10001", "", "x", "5.0", "99999999999999999999"}) {
      assertEquals("must be a whole number from 5 to 10000", range.fault(wrong), wrong);
    }
  }

  @Test
  void numberCanBeGivenAsAWord() {
    Range range = Range.wordOrNumber("auto", 1, 9);
    assertEquals("auto, or 1 to 9", range.toString());
    assertNull(range.fault("auto"));
    assertNull(range.fault("9"));
    assertEquals("must be auto or a whole number from 1 to 9", range.fault("off"));
  }

  @Test
  void onlyTheseWordsAreAccepted() {
    Range range = Range.oneOf("lease", "always");
    assertEquals("lease, always", range.toString());
    assertNull(range.fault("always"));
    assertEquals("must be one of lease, always", range.fault("never"));
  }

  @Test
  void whatIsDescribedIsCheckedWhereItIsUsed() {
    assertNull(Range.described("a path").fault(""));
  }

  @Test
  void everyDefaultIsInItsRange() {
    for (Key key : Key.values()) {
      if (key.defaultValue() != null) {
        assertNull(key.range().fault(key.defaultValue()), key.property());
      }
    }
  }
}
