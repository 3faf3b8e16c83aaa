package org.understudy.container.transaction;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class CollectedEffectsTest {
  @Test
  void anEffectThatFailsKeepsNoOtherBack() {
    List<String> done = new ArrayList<>();
    CollectedEffects effects = new CollectedEffects();
    effects.add(() -> done.add("one"));
    effects.add(() -> {
      throw new IllegalStateException("A message cannot be sent.");
    });
    effects.add(() -> {
      throw new NoClassDefFoundError("of a class that is loaded late");
    });
    effects.add(() -> done.add("two"));
    effects.run();
    assertEquals(List.of("one", "two"), done);
  }
}
