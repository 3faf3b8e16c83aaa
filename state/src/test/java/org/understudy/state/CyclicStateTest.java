package org.understudy.state;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.CopyOnWriteArraySet;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.understudy.replication.api.ReplicatedState;

/** Objects that refer to each other and stand in hash tables and sorted collections. */
class CyclicStateTest {
  /** Equal by name. Its collection of others stands before the name in the captured form. */
  static final class Person implements Comparable<Person> {
    Collection<Person> friends;
    Map<Person, String> letters = new HashMap<>();
    String name;

    Person(String name, Collection<Person> friends) {
      this.name = name;
      this.friends = friends;
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Person person && Objects.equals(person.name, name);
    }

    @Override
    public int hashCode() {
      return Objects.hashCode(name);
    }

    @Override
    public int compareTo(Person other) {
      return name.compareTo(other.name);
    }
  }

  static class People {
    @ReplicatedState List<Person> all = new ArrayList<>();
    @ReplicatedState Map<Person, Person> best = new TreeMap<>();
  }

  private static <T> T restored(T from, T into) {
    StateModel model = StateModel.of(from.getClass(), StateRules.DEFAULTS);
    model.stateOf(into).restoreState(model.stateOf(from).captureState());
    return into;
  }

  static List<Supplier<Collection<Person>>> collections() {
    return List.of(
        HashSet::new, TreeSet::new, ConcurrentSkipListSet::new, CopyOnWriteArraySet::new, PriorityQueue::new, ArrayList::new);
  }

  @ParameterizedTest
  @MethodSource("collections")
  void friendsFindEachOther(Supplier<Collection<Person>> empty) {
    People people = new People();
    for (String name : List.of("Ada", "Bob", "Cleo", "Dan")) {
      people.all.add(new Person(name, empty.get()));
    }
    for (Person one : people.all) {
      people.best.put(one, people.all.get(0));
      for (Person other : people.all) {
        one.friends.add(other);
        one.letters.put(other, "dear " + other.name);
      }
    }
    People into = restored(people, new People());
    assertEquals(4, into.all.size());
    for (Person one : into.all) {
      assertEquals(4, one.friends.size());
      assertSame(into.all.get(0), into.best.get(one));
      for (Person other : into.all) {
        assertTrue(one.friends.contains(other), one.name + " finds " + other.name);
        assertEquals("dear " + other.name, one.letters.get(other));
        assertTrue(one.friends.stream().anyMatch(same -> same == other));
      }
    }
    Person first = into.all.get(0);
    first.friends.remove(into.all.get(1));
    assertEquals(3, first.friends.size());
    assertTrue(first.friends.contains(first));
  }

  static final class Order {
    Set<Line> lines;
  }

  static final class Line {
    Order order;
  }

  record Key(String name, Holder holder) {}

  static final class Holder {
    Set<Key> keys;
  }

  static class Orders {
    @ReplicatedState Order order = new Order();
    @ReplicatedState Holder holder = new Holder();
  }

  @Test
  void immutableSetsKeepObjectsThatAreEqualByIdentity() {
    Orders orders = new Orders();
    Line line = new Line();
    line.order = orders.order;
    orders.order.lines = Set.of(line, new Line());
    Orders into = restored(orders, new Orders());
    Line found = into.order.lines.stream().filter(one -> one.order != null).findFirst().orElseThrow();
    assertSame(into.order, found.order);
    assertTrue(into.order.lines.contains(found));
  }

  @Test
  void anImmutableSetOfObjectsWithUnknownHashCodesIsRefused() {
    Orders orders = new Orders();
    orders.holder.keys = Set.of(new Key("a", orders.holder));
    ObjectState state = StateModel.of(Orders.class, StateRules.DEFAULTS).stateOf(orders);
    String message = assertThrows(StateException.class, state::captureState).getMessage();
    assertTrue(message.contains("Holder.keys: an immutable java.util.ImmutableCollections$Set12 holds objects that refer back"), message);
    assertTrue(message.endsWith("Use a HashSet or a HashMap."), message);
    orders.holder.keys = new HashSet<>(orders.holder.keys);
    Orders into = restored(orders, new Orders());
    assertSame(into.holder, into.holder.keys.iterator().next().holder());
  }

  static final class Account {
    List<Object> items = new ArrayList<>();
    Map<Share, String> names = new HashMap<>();
    Set<Share> shares = new HashSet<>();
    String text;
  }

  static final class Item {
    Account account;
  }

  record Part(Item item) {}

  /** Equal by a field of the account, to which it refers through objects that have been read before. */
  static final class Share {
    Object through;

    Share(Object through) {
      this.through = through;
    }

    private String text() {
      Object inner = through instanceof Object[] array ? array[0] : through instanceof List<?> list ? list.get(0) : through;
      inner = inner instanceof Part part ? part.item() : inner;
      return ((Item) inner).account.text;
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Share share && Objects.equals(share.text(), text()) && share.through.getClass() == through.getClass();
    }

    @Override
    public int hashCode() {
      return Objects.hashCode(text());
    }
  }

  static class Accounts {
    @ReplicatedState(types = {Item.class, Part.class, Object[].class}) Account account = new Account();
  }

  @Test
  void anElementMayReferToAnUnfinishedObjectThroughFinishedOnes() {
    Accounts accounts = new Accounts();
    Account account = accounts.account;
    Item item = new Item();
    item.account = account;
    account.text = "a";
    account.items.addAll(List.of(item, new Part(item), new Object[] {item}, List.of(item), new ArrayList<>(List.of(new Part(item)))));
    for (Object through : account.items) {
      account.shares.add(new Share(through));
      account.names.put(new Share(through), "b");
    }
    Account into = restored(accounts, new Accounts()).account;
    assertEquals(account.shares.size(), into.shares.size());
    for (Object through : into.items) {
      assertTrue(into.shares.contains(new Share(through)), through.getClass().getName());
      assertEquals("b", into.names.get(new Share(through)), through.getClass().getName());
    }
  }

  static class Anything {
    @ReplicatedState(types = String.class) List<Object> list = new ArrayList<>();
  }

  @Test
  void aHashCodeWithoutEndIsAFailureAndNoError() {
    Anything state = new Anything();
    List<Object> endless = new ArrayList<>();
    Set<Object> set = new HashSet<>();
    set.add(endless);
    endless.add(endless);
    state.list.add(set);
    StateModel model = StateModel.of(Anything.class, StateRules.DEFAULTS);
    byte[] captured = model.stateOf(state).captureState();
    Anything into = new Anything();
    String message = assertThrows(StateException.class, () -> model.stateOf(into).restoreState(captured)).getMessage();
    assertTrue(message.contains("The stack overflows. Check whether an element of a set, or a key of a map, contains itself"), message);
    assertTrue(into.list.isEmpty());
    // The model is as good as new.
    state.list.set(0, state.list);
    Anything again = restored(state, new Anything());
    assertSame(again.list, again.list.get(0));
  }
}
