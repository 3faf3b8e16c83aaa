package org.understudy.state;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigDecimal;
import java.time.LocalDate;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.IntUnaryOperator;
import org.junit.jupiter.api.Test;
import org.understudy.replication.api.ReplicatedState;

/** Each form in which Java, and compilers like Lombok's and Kotlin's, write a class: captured, or refused with a remedy. */
class LanguageFormsTest {
  private static StateModel model(Class<?> type) {
    return StateModel.of(type, StateRules.DEFAULTS);
  }

  private static <T> T restored(T from, T into) {
    StateModel model = model(from.getClass());
    model.stateOf(into).restoreState(model.stateOf(from).captureState());
    return into;
  }

  private static String refused(Class<?> type) {
    return assertThrows(StateException.class, () -> model(type)).getMessage();
  }

  private static String notCaptured(Object state) {
    ObjectState captured = model(state.getClass()).stateOf(state);
    return assertThrows(StateException.class, captured::captureState).getMessage();
  }

  static class Outer {
    @ReplicatedState final List<Entry> entries = new ArrayList<>();
    @ReplicatedState String name = "";

    class Entry {
      int number;

      String path() {
        return name + number;
      }
    }
  }

  @Test
  void anInnerObjectBelongsToTheRestoredOuterOne() {
    Outer from = new Outer();
    from.name = "a";
    from.entries.add(from.new Entry());
    Outer into = restored(from, new Outer());
    into.name = "b";
    assertEquals("b0", into.entries.get(0).path());
  }

  sealed interface Result<T> permits Ok, Failed {}

  record Ok<T>(T value) implements Result<T> {}

  record Failed<E>(List<String> reasons) implements Result<E> {}

  static class Results {
    @ReplicatedState Result<BigDecimal> result = new Ok<>(new BigDecimal("1.50"));
    @ReplicatedState Map<String, Result<? extends Result<LocalDate>>> nested = new HashMap<>();
  }

  @Test
  void theTypeArgumentsOfASealedTypeReachItsSubclasses() {
    Results from = new Results();
    from.nested.put("a", new Ok<>(new Failed<>(List.of("why"))));
    from.nested.put("b", new Ok<>(new Ok<>(LocalDate.MIN)));
    Results into = restored(from, new Results());
    assertEquals(from.result, into.result);
    assertEquals(from.nested, into.nested);
  }

  static class UnknownResults {
    @ReplicatedState Result<Object> result;
  }

  interface Coded {}

  enum Operation implements Coded, IntUnaryOperator {
    INCREMENT {
      @Override
      public int applyAsInt(int number) {
        return number + 1;
      }
    },
    NEGATE {
      @Override
      public int applyAsInt(int number) {
        return -number;
      }
    }
  }

  static class Operations {
    @ReplicatedState Operation plain;
    @ReplicatedState(types = Operation.class) Coded coded;
    @ReplicatedState Operation[] all = {};
    @ReplicatedState EnumMap<Operation, Operation> map = new EnumMap<>(Operation.class);
    @ReplicatedState Map<Operation, EnumSet<Operation>> sets = new HashMap<>();
    @ReplicatedState Set<Operation> none = EnumSet.noneOf(Operation.class);
  }

  @Test
  void constantsOfEnumsWithBodiesAreKept() {
    Operations from = new Operations();
    from.plain = Operation.NEGATE;
    from.coded = Operation.INCREMENT;
    from.all = Operation.values();
    from.map.put(Operation.NEGATE, Operation.INCREMENT);
    from.sets.put(Operation.NEGATE, EnumSet.allOf(Operation.class));
    Operations into = restored(from, new Operations());
    assertSame(Operation.NEGATE, into.plain);
    assertSame(Operation.INCREMENT, into.coded);
    assertArrayEquals(from.all, into.all);
    assertEquals(from.map, into.map);
    assertEquals(from.sets, into.sets);
    into.none.add(Operation.NEGATE);
    assertEquals(Set.of(Operation.NEGATE), into.none);
  }

  /** As Lombok's @Value and Kotlin's data classes are compiled: final fields, one constructor, checks in it, a companion. */
  static final class Account {
    static final Object COMPANION = new Object();
    private final String owner;
    private final BigDecimal balance;
    private final List<String> entries;

    Account(String owner, BigDecimal balance, List<String> entries) {
      this.owner = java.util.Objects.requireNonNull(owner);
      this.balance = balance;
      this.entries = List.copyOf(entries);
    }
  }

  static class Accounts {
    @ReplicatedState private final Map<String, Account> accounts = new HashMap<>();
    @ReplicatedState private final Integer opened;

    Accounts(int opened) {
      this.opened = opened;
    }
  }

  @Test
  void finalFieldsAreRestored() {
    Accounts from = new Accounts(7);
    from.accounts.put("a", new Account("Ada", new BigDecimal("12.30"), List.of("opened")));
    Accounts into = restored(from, new Accounts(0));
    Account account = into.accounts.get("a");
    assertNotSame(from.accounts.get("a"), account);
    assertEquals("Ada", account.owner);
    assertEquals(new BigDecimal("12.30"), account.balance);
    assertEquals(List.of("opened"), account.entries);
    assertEquals(7, into.opened);
  }

  static class Arrays {
    @ReplicatedState String[][][] texts = {{{"a", null}, {}}, null};
    @ReplicatedState List<Map<String, long[]>>[] generic;
    @ReplicatedState Number[] numbers = {1, 2L, BigDecimal.TEN};
    @ReplicatedState Optional<Optional<LocalDate>> nested = Optional.of(Optional.of(LocalDate.MAX));
  }

  @Test
  @SuppressWarnings({"unchecked", "rawtypes"}) // An array of a generic type.
  void arraysOfArraysAndOptionalsAreKept() {
    Arrays from = new Arrays();
    from.generic = new List[] {List.of(Map.of("a", new long[] {1})), null};
    Arrays into = restored(from, new Arrays());
    assertArrayEquals(from.texts, into.texts);
    assertArrayEquals(from.numbers, into.numbers);
    assertEquals(from.nested, into.nested);
    assertEquals(1, into.generic[0].get(0).get("a")[0]);
  }

  static final class ByLength implements Comparator<String> {
    @Override
    public int compare(String one, String other) {
      return Integer.compare(one.length(), other.length());
    }
  }

  static class Sorted {
    @ReplicatedState(types = ByLength.class) final TreeMap<String, Integer> map;

    Sorted(Comparator<String> order) {
      map = new TreeMap<>(order);
    }
  }

  @Test
  void aComparatorIsANamedClassAndNoLambda() {
    Sorted from = new Sorted(new ByLength());
    from.map.put("long", 1);
    Sorted into = restored(from, new Sorted(null));
    into.map.put("b", 2);
    assertEquals("{b=2, long=1}", into.map.toString());
    String lambda = notCaptured(new Sorted((one, other) -> one.compareTo(other)));
    assertTrue(lambda.contains("Sorted.map: ") && lambda.contains("is a lambda or an anonymous class"), lambda);
  }

  static class Any {
    @ReplicatedState Object any;
  }

  static class AnyElement {
    @ReplicatedState List<?> any;
  }

  static class AnyComparable {
    @ReplicatedState Comparable<String> any;
  }

  static class Callback {
    @ReplicatedState Function<String, String> any;
  }

  @Test
  void aTypeThatSaysNothingIsRefusedAtDeployment() {
    String remedy = "Name them in @ReplicatedState(types = …), declare a class, or mark the field transient if it is no state.";
    for (Class<?> type : List.of(Any.class, AnyElement.class, AnyComparable.class, Callback.class, UnknownResults.class)) {
      assertTrue(refused(type).endsWith(remedy), refused(type));
    }
  }

  static class Numbers extends AbstractList<String> {
    @Override
    public String get(int index) {
      return "" + index;
    }

    @Override
    public int size() {
      return 3;
    }
  }

  static class OwnList {
    @ReplicatedState Numbers numbers;
  }

  /** As the collections of Hibernate. */
  static class Bag<E> extends AbstractList<E> {
    @Override
    public E get(int index) {
      throw new IndexOutOfBoundsException(index);
    }

    @Override
    public int size() {
      return 0;
    }
  }

  static class Customer {
    List<String> orders = new ArrayList<>();
  }

  /** Named as the proxies of Hibernate. */
  static class Customer$HibernateProxy$Xk3 extends Customer {}

  static class Customers {
    @ReplicatedState Customer customer = new Customer();
  }

  /** Implements a collection without a superclass of the JDK. */
  static final class Ring implements Iterable<String> {
    private final List<String> texts = new ArrayList<>(List.of("a"));

    @Override
    public Iterator<String> iterator() {
      return Collections.unmodifiableList(texts).iterator();
    }
  }

  static class Rings {
    @ReplicatedState Ring ring = new Ring();
  }

  @Test
  void collectionsAndProxiesOfLibrariesAreRefusedWithARemedy() {
    String own = refused(OwnList.class);
    assertTrue(own.contains("extends java.util.AbstractList"), own);
    assertTrue(own.endsWith("Hold an object of a class of the JDK in a field instead."), own);
    Customers customers = new Customers();
    customers.customer.orders = new Bag<>();
    String bag = notCaptured(customers);
    assertTrue(bag.contains("Customer.orders: "), bag);
    assertTrue(bag.endsWith("Keep a copy in a collection of java.util, for example an ArrayList."), bag);
    customers.customer = new Customer$HibernateProxy$Xk3();
    String proxy = notCaptured(customers);
    assertTrue(proxy.contains("that a library has generated") && proxy.endsWith("of an entity of JPA, a detached copy."), proxy);
    assertEquals("a", restored(new Rings(), new Rings()).ring.iterator().next());
  }
}
