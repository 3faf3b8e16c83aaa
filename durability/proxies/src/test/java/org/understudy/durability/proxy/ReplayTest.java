package org.understudy.durability.proxy;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import org.junit.jupiter.api.Test;

/** Repeated methods that are not deterministic are found at the next whole state. */
class ReplayTest {
  private final DurableObjects objects = new DurableObjects(new HomeStub().home());
  private final NamesProxy names = objects.add(new NamesProxy());
  private byte[] before;
  private final List<byte[]> updates = new ArrayList<>();

  /** A state object. */
  interface Names {
    void add(String name);

    void addAtRandom(String name);

    void fail(String name);
  }

  /** Its class. */
  static class NamesState implements Names {
    private final Set<String> names = new HashSet<>();
    private final List<String> order = new ArrayList<>();

    @Override
    public void add(String name) {
      names.add(name);
      order.add(name);
    }

    @Override
    public void addAtRandom(String name) {
      order.add(ThreadLocalRandom.current().nextInt(order.size() + 1), name);
      order.add(name + ThreadLocalRandom.current().nextLong());
    }

    @Override
    public void fail(String name) {
      order.add(name);
      throw new IllegalStateException(name);
    }
  }

  /** As generated. */
  static final class NamesProxy extends ReplicationProxy<Names> implements Names {
    NamesProxy() {
      this(new NamesState());
    }

    private NamesProxy(NamesState names) {
      super("names", names, fieldsOf(names), List.of(Add.class, AddAtRandom.class, Fail.class));
    }

    @Override
    public void add(String name) {
      repeat(new Add(name));
      object().add(name);
    }

    @Override
    public void addAtRandom(String name) {
      repeat(new AddAtRandom(name));
      object().addAtRandom(name);
    }

    @Override
    public void fail(String name) {
      repeat(new Fail(name));
      object().fail(name);
    }

    record Add(String name) implements Call<Names> {
      @Override
      public void on(Names object) {
        object.add(name);
      }
    }

    record AddAtRandom(String name) implements Call<Names> {
      @Override
      public void on(Names object) {
        object.addAtRandom(name);
      }
    }

    record Fail(String name) implements Call<Names> {
      @Override
      public void on(Names object) {
        object.fail(name);
      }
    }
  }

  private void begin() {
    before = objects.captureState();
  }

  private void operation(Runnable change) {
    objects.startA();
    change.run();
    objects.commitA();
    updates.add(objects.captureUpdate());
  }

  private List<String> compare() {
    return objects.compareReplay(before, updates, objects.captureState());
  }

  @Test
  void deterministicMethodsGiveEqualStates() {
    begin();
    // Enough for tables of other sizes, and so for other orders.
    for (int i = 0; i < 500; i++) {
      String name = "name " + i;
      operation(() -> names.add(name));
    }
    operation(() -> assertThrows(IllegalStateException.class, () -> names.fail("partly")));
    assertEquals(List.of(), compare());
  }

  @Test
  void aMethodWithRandomnessInsideIsNamedWithItsObjectAndFields() {
    begin();
    operation(() -> names.add("a secret"));
    operation(() -> names.addAtRandom("a secret"));
    List<String> found = compare();
    assertEquals(1, found.size());
    assertTrue(found.get(0).matches("In the state object names, the fields .NamesState.order. differ .*Add, AddAtRandom.*"), found.get(0));
    assertFalse(found.get(0).contains("secret"), "no values of the state");
  }

  @Test
  void theObjectsThemselvesAreNotUsed() {
    begin();
    operation(() -> names.add("a"));
    byte[] now = objects.captureState();
    assertEquals(1, objects.compareReplay(before, updates, before).size());
    assertArrayEquals(now, objects.captureState());
  }
}
