package org.understudy.replication.core.limit;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class KeyLimitsTest {
  @Test
  void onlyKindsWithALimitHaveThatOfTheGroup() {
    KeyKinds kinds =
        new KeyKinds(List.of(KeyKind.counted("", "resources", 50, "understudy.resources"), KeyKind.written("lifetime/")));
    ReplicatedLimits ofGroup = new ReplicatedLimits(1, 1, 1, 50, 1, 1, 1, Map.of("", 80L));
    assertEquals(80, ofGroup.max(kinds.of("a")));
    assertEquals(0, ofGroup.max(kinds.of("lifetime/a")));
    assertEquals(0, ofGroup.max(kinds.of("unknown/a")));
  }
}
