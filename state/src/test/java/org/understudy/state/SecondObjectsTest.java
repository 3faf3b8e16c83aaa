package org.understudy.state;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.understudy.replication.api.ReplicatedState;

/** Second objects share what is injected or immutable, and have a state of their own. */
class SecondObjectsTest {
  private static int constructed;

  static class Base {
    private System.Logger injected = System.getLogger("injected");
    private final long limit;

    Base(long limit) {
      this.limit = limit;
      constructed++;
    }
  }

  static class Service extends Base {
    @ReplicatedState private final List<String> entries = new ArrayList<>();
    private final Duration pause = Duration.ofMillis(5);
    private final transient System.Logger logger = System.getLogger("test");

    Service(long limit) {
      super(limit);
    }
  }

  static class Indexed extends Service {
    private final transient Map<String, String> index = new HashMap<>();

    Indexed() {
      super(1);
    }
  }

  static class Counting extends Service {
    private int calls = 1;

    Counting() {
      super(1);
    }
  }

  private static ObjectState state(Service service) {
    return StateModel.of(service.getClass(), StateRules.DEFAULTS).stateOf(service);
  }

  @Test
  void aSecondObjectHasAStateOfItsOwn() {
    Service first = new Service(Long.MAX_VALUE);
    first.entries.add("a");
    int before = constructed;
    ObjectState made = state(first).seconds().get();
    made.restoreState(state(first).captureState());
    Service second = (Service) made.target();
    assertEquals(before, constructed);
    assertNotSame(first, second);
    assertNotSame(first.entries, second.entries);
    assertEquals(List.of("a"), second.entries);
    assertSame(((Base) first).injected, ((Base) second).injected);
    assertEquals(Long.MAX_VALUE, ((Base) second).limit);
    assertEquals(Duration.ofMillis(5), second.pause);
    assertSame(first.logger, second.logger);
  }

  @Test
  void whatMayChangeIsNotShared() {
    String cache = assertThrows(StateException.class, () -> state(new Indexed()).seconds()).getMessage();
    assertEquals("the field Indexed.index is neither state nor injected and may change, so a second object cannot share it", cache);
    assertEquals(0, new Indexed().index.size());
    String field = assertThrows(StateException.class, () -> state(new Counting()).seconds()).getMessage();
    assertEquals("the field Counting.calls is neither state nor injected and may change, so a second object cannot share it", field);
    assertEquals(1, new Counting().calls);
  }
}
