package org.understudy.state;

import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.Year;
import java.time.ZonedDateTime;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.Deque;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import javax.xml.datatype.DatatypeFactory;
import javax.xml.datatype.XMLGregorianCalendar;
import org.understudy.replication.api.ReplicatedState;

/** A service class with all kinds of state. */
class Shop {
  enum Size {
    SMALL,
    LARGE {
      @Override
      int factor() {
        return 3;
      }
    };

    int factor() {
      return 1;
    }
  }

  sealed interface Payment permits Cash, Card {}

  record Cash(BigDecimal amount) implements Payment {}

  record Card(String number, LocalDate until) implements Payment {}

  interface Discount {}

  static final class Percent implements Discount {
    int percent;
  }

  /** A class without a constructor without parameters. */
  static class Item {
    final String name;
    Size size = Size.SMALL;
    Item next;
    Shop shop;
    transient Object cache = "cached";

    Item(String name) {
      this.name = name;
    }
  }

  static class Order {
    private final transient ReentrantLock lock = new ReentrantLock();
    List<Item> items = new ArrayList<>();
    Payment payment;
    Instant at;
    Box<Discount> discount;

    boolean isLocked() {
      return lock.isLocked();
    }
  }

  static class Box<T> {
    T content;
    T[] more;
  }

  @ReplicatedState final Map<UUID, Order> orders = new ConcurrentHashMap<>();
  @ReplicatedState(types = Percent.class) Discount discount;
  @ReplicatedState int count;
  @ReplicatedState long total;
  @ReplicatedState double ratio;
  @ReplicatedState boolean open;
  @ReplicatedState char grade = 'a';
  @ReplicatedState byte small;
  @ReplicatedState short few;
  @ReplicatedState float part;
  @ReplicatedState byte[] logo;
  @ReplicatedState int[][] grid;
  @ReplicatedState String[] words;
  @ReplicatedState Item first;
  @ReplicatedState final List<Item> all = Collections.synchronizedList(new ArrayList<>());
  @ReplicatedState EnumMap<Size, Integer> bySize = new EnumMap<>(Size.class);
  @ReplicatedState Set<Size> sizes = EnumSet.noneOf(Size.class);
  @ReplicatedState SortedMap<String, Integer> sorted = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
  @ReplicatedState Map<String, Object> anything = new LinkedHashMap<>();
  @ReplicatedState final AtomicLong number = new AtomicLong();
  @ReplicatedState final AtomicReference<Item> best = new AtomicReference<>();
  @ReplicatedState Optional<Item> worst = Optional.empty();
  @ReplicatedState List<? extends Number> numbers = List.of();
  @ReplicatedState Duration duration = Duration.ofMillis(1);
  @ReplicatedState ZonedDateTime when;
  @ReplicatedState Year year;
  @ReplicatedState Locale locale;
  @ReplicatedState XMLGregorianCalendar xml;
  @ReplicatedState BitSet bits = new BitSet();
  @ReplicatedState Deque<String> queue = new ArrayDeque<>();
  @ReplicatedState StringBuilder text = new StringBuilder();
  int notState;

  static Shop filled() {
    Shop shop = new Shop();
    Item one = new Item("one");
    Item two = new Item("zwei ✓");
    one.next = two;
    two.next = one;
    two.size = Size.LARGE;
    two.shop = shop;
    Order order = new Order();
    order.items.add(one);
    order.items.add(two);
    order.items.add(one);
    order.items.add(null);
    order.payment = new Card("4711", LocalDate.of(2030, 1, 2));
    order.at = Instant.parse("2026-01-02T03:04:05.678Z");
    order.discount = new Box<>();
    Percent percent = new Percent();
    percent.percent = 7;
    order.discount.content = percent;
    order.discount.more = new Discount[] {percent, null};
    Order cash = new Order();
    cash.payment = new Cash(new BigDecimal("12.50"));
    shop.orders.put(new UUID(1, 2), order);
    shop.orders.put(new UUID(3, 4), cash);
    shop.discount = percent;
    shop.count = -5;
    shop.total = Long.MIN_VALUE;
    shop.ratio = Math.PI;
    shop.open = true;
    shop.grade = 'ß';
    shop.small = -1;
    shop.few = -300;
    shop.part = 0.5f;
    shop.logo = new byte[] {1, 2, 3};
    shop.grid = new int[][] {{1, 2}, null, {}};
    shop.words = new String[] {"a", null, "c"};
    shop.first = one;
    shop.all.add(two);
    shop.bySize.put(Size.LARGE, 2);
    shop.sizes.add(Size.LARGE);
    shop.sorted.put("b", 1);
    shop.sorted.put("A", 2);
    shop.anything.put("list", List.of(1, "two", Map.of("three", 3L)));
    shop.anything.put("percent", percent);
    shop.number.set(99);
    shop.best.set(one);
    shop.worst = Optional.of(two);
    shop.numbers = List.of(1, 2L, 3.0);
    shop.when = ZonedDateTime.parse("2026-03-04T05:06:07+01:00[Europe/Rome]");
    shop.year = Year.of(12026);
    shop.locale = Locale.GERMANY;
    shop.xml = DatatypeFactory.newDefaultInstance().newXMLGregorianCalendar("2026-03-04T05:06:07Z");
    shop.bits.set(70);
    shop.queue.add("q");
    shop.text.append("text");
    shop.notState = 12;
    return shop;
  }

  /** Makes a map that a state could be mistaken for. */
  static Map<String, Object> none() {
    return new HashMap<>();
  }
}
