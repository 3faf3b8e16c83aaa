package org.understudy.wsrf.resource;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;

import java.lang.reflect.Method;
import org.junit.jupiter.api.Test;
import org.understudy.replication.api.decision.Branch;

class TimedBranchTest {
  /** A default method that it does not pass on would hide the branch's own. */
  @Test
  void everyMethodIsPassedOn() {
    for (Method method : Branch.class.getMethods()) {
      assertDoesNotThrow(() -> TimedBranch.class.getDeclaredMethod(method.getName(), method.getParameterTypes()));
    }
  }
}
