package org.understudy.replication.core.store;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

class RemovalsTest {
  @Test
  void oldestRemovalsAreForgottenAndTheFloorSaysSo() {
    Removals removals = new Removals(2);
    removals.add("a", 3);
    removals.add("b", 5);
    assertEquals(0, removals.floor());
    removals.add("c", 8);
    assertEquals(3, removals.floor());
    assertEquals(List.of(new Item.Removed("b", 5), new Item.Removed("c", 8)), removals.after(3));
    assertEquals(List.of(new Item.Removed("b", 5)), removals.upTo(7).after(0));
    assertEquals(3, removals.upTo(7).floor());
    removals.exists("c");
    assertEquals(List.of(), removals.after(5));
    removals.add("b", 9);
    assertEquals(List.of(new Item.Removed("b", 9)), removals.after(5));
  }
}
