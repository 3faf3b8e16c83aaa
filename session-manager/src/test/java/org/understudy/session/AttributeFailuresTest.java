package org.understudy.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.understudy.session.record.AttributeClasses;
import org.understudy.session.record.AttributeException;
import org.understudy.session.record.AttributeForm;
import org.understudy.test.LogRecorder;

class AttributeFailuresTest {
  private final AttributeForm form = new AttributeForm(new AttributeClasses(AttributeFailuresTest.class.getClassLoader(), List.of()));
  private long now = 1;
  private final AttributeFailures failures = new AttributeFailures(() -> now);

  private void fail(String name, Object value) {
    AttributeException failure = assertThrows(AttributeException.class, () -> form.write(name, value, 0));
    failures.log("POST", "/shop", failure);
  }

  @Test
  void oneDefectIsLoggedOnceAMinuteAndCounted() {
    List<Object> place = List.of(new Object());
    try (LogRecorder log = LogRecorder.of(AttributeFailures.class)) {
      for (int i = 0; i < 5; i++) {
        fail("place", place);
      }
      assertEquals(1, log.lines().size());
      assertTrue(log.has("POST /shop") && log.has("place") && log.has("java.lang.Object"), () -> log.lines().toString());
      fail("other", place);
      fail("place", new Object());
      assertEquals(3, log.lines().size(), "another attribute, another class");
      log.clear();
      now += TimeUnit.MINUTES.toNanos(1);
      fail("place", place);
      fail("place", place);
      assertEquals(1, log.lines().size());
      now += TimeUnit.MINUTES.toNanos(1);
      fail("place", place);
      assertTrue(log.lines().get(1).endsWith("not logged: 1."), () -> log.lines().toString());
    }
  }

  @Test
  void whatItRemembersIsBounded() {
    try (LogRecorder log = LogRecorder.of(AttributeFailures.class)) {
      for (int i = 0; i < 10_000; i++) {
        fail("view-" + i, List.of(new Object()));
      }
      assertTrue(log.lines().size() < 100, () -> log.lines().size() + " lines");
    }
  }
}
