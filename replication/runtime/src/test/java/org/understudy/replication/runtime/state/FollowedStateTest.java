package org.understudy.replication.runtime.state;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.understudy.replication.core.update.StateChange;

class FollowedStateTest {
  private static final byte[] STATE = {1};
  private static final WholeState WHOLE =
      taker -> List.of("mine/0", "mine/1", "other").forEach(key -> taker.accept(key, STATE));

  private final Set<String> heard = new TreeSet<>();
  private boolean failing;

  private final FollowedState followed =
      new FollowedState(
          new StateListener() {
            @Override
            public boolean follows(String key) {
              if (failing) {
                throw new IllegalStateException("a listener's own trouble");
              }
              return key.startsWith("mine/");
            }

            @Override
            public void onChange(String key, byte[] state) {
              heard.add(key);
            }

            @Override
            public void onReset() {
              heard.clear();
            }
          });

  private static List<StateChange> resources(String... keys) {
    return List.of(keys).stream().map(key -> new StateChange(key, STATE)).toList();
  }

  @Test
  void listenerReceivesTransferredStateWhenComplete() {
    followed.applied(resources("mine/old"));
    followed.receiving(0, resources("mine/of a transfer that broke off"));
    followed.receiving(0, resources("mine/0", "other"));
    followed.receiving(1, resources("mine/1"));
    assertEquals(Set.of("mine/old"), heard);
    followed.replaced(WHOLE);
    assertEquals(Set.of("mine/0", "mine/1"), heard);
  }

  @Test
  void lateOrFailedListenerReceivesTheWholeState() {
    followed.receiving(1, resources("mine/1"));
    followed.replaced(WHOLE);
    assertEquals(Set.of("mine/0", "mine/1", "other"), heard);
    followed.receiving(0, resources("mine/0"));
    failing = true;
    assertThrows(IllegalStateException.class, () -> followed.receiving(1, resources("mine/1")));
    failing = false;
    followed.receiving(2, resources("other"));
    followed.replaced(WHOLE);
    assertEquals(Set.of("mine/0", "mine/1", "other"), heard);
  }
}
