package org.understudy.state;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.understudy.replication.api.ReplicatedState;

/** Second objects share what is injected or immutable, and have a state of their own. */
class SecondObjectsTest {
  private static int constructed;

  static class Base {
    private System.Logger injected = System.getLogger("injected");
    @Autowired private Duration interval = Duration.ofMillis(7);
    @Autowired private int retries = 3;
    private final long limit;

    Base(long limit) {
      this.limit = limit;
      constructed++;
    }
  }

  static class Service extends Base {
    @ReplicatedState private final List<String> entries = new ArrayList<>();
    private static final Map<String, List<Pattern>> FORMS = Map.of("a", List.of(Pattern.compile("[a-z]")));
    private final Duration pause = Duration.ofMillis(5);
    private final Set<Integer> sizes = Set.of(1, 2);
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

  /** Its static field is shared by all threads, too. */
  static class Caching extends Service {
    private static final Map<String, String> CACHE = new HashMap<>();

    Caching() {
      super(1);
    }
  }

  /** Nothing changes this list, but its elements may change. */
  static class Grouped extends Service {
    private final List<StringBuilder> groups = List.of(new StringBuilder());

    Grouped() {
      super(1);
    }
  }

  static class Switched extends Service {
    private static boolean on;

    Switched() {
      super(1);
    }
  }

  /** What a container may inject. */
  static class Audience {
    private final List<Service> listeners = new ArrayList<>();
  }

  static class SelfInjected extends Service {
    @Autowired private SelfInjected self;

    SelfInjected() {
      super(1);
      self = this;
    }
  }

  static class Heard extends Service {
    @Autowired private final Audience audience = new Audience();

    Heard() {
      super(1);
      audience.listeners.add(this);
    }
  }

  /** Finds the service later, as an {@code ObjectProvider} does. */
  static class Providing extends Service {
    @Autowired private Supplier<Service> provider = () -> this;

    Providing() {
      super(1);
    }
  }

  /** Its declared type does not limit what a container sets. */
  static class Open extends Service {
    @Autowired private Object anything;

    Open() {
      super(1);
    }
  }

  private static String refusal(Service service) {
    ObjectState state = state(service);
    return assertThrows(StateException.class, state::seconds).getMessage();
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
    assertSame(first.sizes, second.sizes);
    assertEquals(1, Service.FORMS.size());
    assertSame(first.logger, second.logger);
    assertSame(((Base) first).interval, ((Base) second).interval);
    assertEquals(3, ((Base) second).retries);
  }

  @Test
  void whatMayChangeIsNotShared() {
    String end = " is neither state nor injected and may change, so a second object cannot share it";
    assertEquals("the field Indexed.index" + end, refusal(new Indexed()));
    assertEquals(0, new Indexed().index.size());
    assertEquals("the field Counting.calls" + end, refusal(new Counting()));
    assertEquals(1, new Counting().calls);
    assertEquals("the static field Caching.CACHE" + end, refusal(new Caching()));
    assertEquals(0, Caching.CACHE.size());
    assertEquals("the field Grouped.groups" + end, refusal(new Grouped()));
    assertEquals(1, new Grouped().groups.size());
    assertEquals("the static field Switched.on" + end, refusal(new Switched()));
    assertFalse(Switched.on);
  }

  @Test
  void whatMayReferBackToTheServiceIsNotShared() {
    String end = ", which may refer back to the service object, so a second object cannot share it";
    SelfInjected self = new SelfInjected();
    assertEquals("the injected field SelfInjected.self has the type SelfInjected" + end, refusal(self));
    assertSame(self, self.self);
    Heard heard = new Heard();
    assertEquals("the injected field Heard.audience has the type Audience" + end, refusal(heard));
    assertSame(heard, heard.audience.listeners.get(0));
    Providing providing = new Providing();
    assertEquals("the injected field Providing.provider has the type Supplier" + end, refusal(providing));
    assertSame(providing, providing.provider.get());
    assertEquals("the injected field Open.anything has the type Object" + end, refusal(new Open()));
    assertNull(new Open().anything);
  }
}
