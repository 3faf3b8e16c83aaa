package org.understudy.container.request;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import javax.xml.namespace.QName;
import org.junit.jupiter.api.Test;
import org.understudy.state.StateException;
import org.understudy.test.LogRecorder;

class ExecutionFailuresTest {
  private static final QName ADD = new QName("urn:shop", "add");

  private long now;

  @Test
  void aDefectThatFailsEveryRequestIsLoggedOnceAMinute() {
    ExecutionFailures failures = new ExecutionFailures(() -> now);
    try (LogRecorder log = LogRecorder.of(ExecutionFailures.class)) {
      for (int i = 0; i < 1_000; i++) {
        failures.log(ADD, "be executed", new IllegalStateException("request " + i));
      }
      assertEquals(1, log.lines().size(), log.lines().toString());
      assertEquals("request 0", log.records().get(0).getThrown().getMessage());
      failures.log(new QName("urn:shop", "take"), "be executed", new IllegalStateException());
      failures.log(ADD, "be completed", new IllegalStateException());
      failures.log(ADD, "be executed", new NoClassDefFoundError());
      assertEquals(4, log.lines().size(), log.lines().toString());
      failures.log(ADD, "be completed", new StateException("Shop.stock -> Map value"));
      failures.log(ADD, "be completed", new StateException("Shop.bills -> Map value"));
      assertEquals(6, log.lines().size(), log.lines().toString());
      now += Duration.ofMinutes(1).toNanos();
      failures.log(ADD, "be executed", new IllegalStateException("later"));
      assertEquals(7, log.lines().size());
      assertTrue(log.lines().get(1).endsWith("not logged: 999."), log.lines().get(1));
      assertTrue(log.lines().get(6).contains("add could not be executed."), log.lines().get(6));
    }
  }
}
