package org.understudy.state;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.InputStream;
import java.io.Serializable;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import javax.xml.datatype.DatatypeFactory;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.understudy.replication.api.DelegatedState;
import org.understudy.replication.api.ReplicatedState;
import org.understudy.replication.api.ResourceHome;
import org.understudy.state.letter.Letter;
import org.understudy.state.letter.ObjectFactory;

class StateModelTest {
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

  @Test
  void allKindsOfStateAreRestored() {
    Shop from = Shop.filled();
    Shop into = restored(from, new Shop());
    Shop.Order order = into.orders.get(new UUID(1, 2));
    assertEquals(from.orders.get(new UUID(1, 2)).payment, order.payment);
    assertEquals(from.orders.get(new UUID(3, 4)).payment, into.orders.get(new UUID(3, 4)).payment);
    assertEquals(from.orders.get(new UUID(1, 2)).at, order.at);
    assertFalse(order.isLocked());
    assertEquals(-5, into.count);
    assertEquals(Long.MIN_VALUE, into.total);
    assertEquals(Math.PI, into.ratio);
    assertTrue(into.open);
    assertEquals('ß', into.grade);
    assertEquals(-1, into.small);
    assertEquals(-300, into.few);
    assertEquals(0.5f, into.part);
    assertArrayEquals(from.logo, into.logo);
    assertArrayEquals(from.grid, into.grid);
    assertArrayEquals(from.words, into.words);
    assertEquals(from.bySize, into.bySize);
    assertEquals(from.sizes, into.sizes);
    assertEquals(from.sorted, into.sorted);
    assertEquals(2, into.sorted.get("a"));
    assertEquals(from.anything.get("list"), into.anything.get("list"));
    assertEquals(List.of("list", "percent"), new ArrayList<>(into.anything.keySet()));
    assertEquals(99, into.number.get());
    assertEquals(from.numbers, into.numbers);
    assertEquals(from.duration, into.duration);
    assertEquals(from.when, into.when);
    assertEquals(from.year, into.year);
    assertEquals(from.locale, into.locale);
    assertEquals(from.xml, into.xml);
    assertEquals(from.bits, into.bits);
    assertEquals(List.of("q"), new ArrayList<>(into.queue));
    assertEquals("text", into.text.toString());
    assertEquals(0, into.notState);
  }

  @Test
  void sharedReferencesAndCyclesAreKept() {
    Shop from = Shop.filled();
    Shop into = restored(from, new Shop());
    Shop.Item one = into.first;
    Shop.Item two = one.next;
    assertNotSame(from.first, one);
    assertSame(one, two.next);
    assertSame(into, two.shop);
    assertSame(one, into.best.get());
    assertSame(two, into.worst.orElseThrow());
    assertSame(two, into.all.get(0));
    List<Shop.Item> items = into.orders.get(new UUID(1, 2)).items;
    assertSame(one, items.get(0));
    assertSame(one, items.get(2));
    assertNull(items.get(3));
    assertEquals("zwei ✓", two.name);
    assertEquals(3, two.size.factor());
    assertSame(into.discount, into.orders.get(new UUID(1, 2)).discount.content);
    assertSame(into.discount, into.anything.get("percent"));
  }

  @Test
  void anEmptyStateIsRestoredOverAFullOne() {
    Shop into = restored(new Shop(), Shop.filled());
    assertTrue(into.orders.isEmpty());
    assertNull(into.first);
    assertTrue(into.bySize.isEmpty());
    assertEquals(12, into.notState);
  }

  static class Plain {
    static int shared = 1;
    private String name = "a";
    private final List<String> list = new ArrayList<>();
    private transient int cache;
  }

  @ReplicatedState
  static class Whole extends Plain {
    final ResourceHome<?> home = null;
    final System.Logger logger = null;
    int more;
  }

  @Test
  void aMarkedClassHasAllItsFieldsAndThoseAboveIt() {
    assertEquals(List.of("Plain.list", "Plain.name", "Whole.more"), model(Whole.class).fields());
    Whole from = new Whole();
    from.more = 3;
    ((Plain) from).name = "b";
    ((Plain) from).list.add("c");
    ((Plain) from).cache = 5;
    Whole into = restored(from, new Whole());
    assertEquals(3, into.more);
    assertEquals("b", ((Plain) into).name);
    assertEquals(List.of("c"), ((Plain) into).list);
    assertEquals(0, ((Plain) into).cache);
    assertEquals(1, Plain.shared);
    assertEquals(into, DelegatedState.targetOf(model(Whole.class).stateOf(into)));
  }

  @ReplicatedState
  static class Chain {
    Chain next;
    String name;
  }

  @Test
  void anObjectMayHoldOthersOfItsClass() {
    Chain from = new Chain();
    from.name = "first";
    from.next = new Chain();
    from.next.name = "second";
    from.next.next = from;
    Chain into = restored(from, new Chain());
    assertEquals("second", into.next.name);
    assertSame(into, into.next.next);
  }

  static class Stream {
    @ReplicatedState Map<String, InputStream> entries;
  }

  static class Raw {
    @ReplicatedState @SuppressWarnings("rawtypes") List entries;
  }

  static class Deep {
    @ReplicatedState List<Shop.Box<Thread>> boxes;
  }

  static class Open {
    @ReplicatedState Shop.Discount discount;
  }

  static class Injected {
    @ReplicatedState transient String name;
  }

  @ReplicatedState
  static class Nothing {}

  static class Lists extends ArrayList<String> {
    private static final long serialVersionUID = 1L;
  }

  static class Extended {
    @ReplicatedState Lists lists;
  }

  @Test
  void aTypeThatCannotBeCapturedIsRejectedWithItsPath() {
    String stream = refused(Stream.class);
    assertTrue(stream.startsWith("Stream.entries -> Map value -> java.io.InputStream: InputStream has implementations"), stream);
    assertTrue(refused(Raw.class).startsWith("Raw.entries -> java.util.List: List is used without type arguments"), refused(Raw.class));
    assertTrue(refused(Deep.class).startsWith("Deep.boxes -> Collection element -> Box.content -> java.lang.Thread: "),
        refused(Deep.class));
    assertTrue(refused(Open.class).contains("@ReplicatedState(types = …)"), refused(Open.class));
    assertTrue(refused(Injected.class).contains("static, transient or injected"), refused(Injected.class));
    assertTrue(refused(Constructed.class).contains("may inject the field by a constructor"), refused(Constructed.class));
    assertEquals(List.of("Decided.count", "Decided.owned"), StateModel.of(Decided.class, StateRules.DEFAULTS).fields());
    assertTrue(refused(Nothing.class).contains("no field that could be state"), refused(Nothing.class));
    assertTrue(refused(Extended.class).contains("extends java.util.ArrayList"), refused(Extended.class));
  }

  @ReplicatedState
  static class Constructed {
    final Shop shop;
    int count;

    @Autowired
    Constructed(Shop shop, int count) {
      this.shop = shop;
      this.count = count;
    }
  }

  @ReplicatedState
  static class Decided {
    final transient Shop shop;
    @ReplicatedState final Late owned;
    int count;

    @Autowired
    Decided(Shop shop, Late owned, int count) {
      this.shop = shop;
      this.owned = owned;
      this.count = count;
    }
  }

  static class Late {
    @ReplicatedState Shop.Discount discount;
    @ReplicatedState Named named;
  }

  static class Named {
    @ReplicatedState(types = Shop.Percent.class) Shop.Discount discount;
  }

  @Test
  void typesNamedInOneClassApplyToAllClasses() {
    Late from = new Late();
    Shop.Percent percent = new Shop.Percent();
    percent.percent = 4;
    from.discount = percent;
    // A field before its class named the type.
    Named named = new Named();
    named.discount = percent;
    from.named = named;
    Late into = restored(from, new Late());
    assertEquals(4, ((Shop.Percent) into.discount).percent);
    assertSame(into.discount, into.named.discount);
  }

  static class Objects {
    @ReplicatedState(types = String.class) Object any;
    @ReplicatedState List<Object> list = new ArrayList<>();
  }

  private static String notCaptured(Object any) {
    Objects objects = new Objects();
    objects.list.add("a");
    objects.list.add(any);
    return assertThrows(StateException.class, () -> model(Objects.class).stateOf(objects).captureState()).getMessage();
  }

  @Test
  void undeclaredTypesAreNotCaptured() {
    assertTrue(notCaptured(new Thread()).contains("Objects.list -> [1]: java.lang.Thread is a class of the JDK that cannot be captured"),
        notCaptured(new Thread()));
    String undeclared = notCaptured(new Shop.Percent());
    assertTrue(undeclared.contains("Shop$Percent is not among the declared types. Name it in @ReplicatedState(types = …)."), undeclared);
    Runnable lambda = () -> {};
    assertTrue(notCaptured(lambda).contains("is a lambda"), notCaptured(lambda));
    assertTrue(notCaptured(Collections.unmodifiableList(new ArrayList<>())).contains("is a view of another collection"));
    assertTrue(notCaptured(new HashMap<>().keySet()).contains("is a view of another collection"));
  }

  @Test
  void aStateOfAnotherShapeIsRejectedBeforeItIsApplied() {
    byte[] plain = model(Whole.class).stateOf(new Whole()).captureState();
    Shop shop = Shop.filled();
    String message =
        assertThrows(IllegalArgumentException.class, () -> model(Shop.class).stateOf(shop).restoreState(plain)).getMessage();
    assertTrue(message.contains("was captured with other fields or types"), message);
    assertTrue(message.contains("Nothing was restored"), message);
    assertEquals(-5, shop.count);
    assertThrows(IllegalArgumentException.class, () -> model(Shop.class).stateOf(shop).restoreState(new byte[0]));
    assertNotEquals(model(Whole.class).fingerprint(), model(Plain2.class).fingerprint());
    assertEquals(model(Whole.class).fingerprint(), model(Whole.class).fingerprint());
  }

  @ReplicatedState
  static class Plain2 extends Plain {
    long more;
  }

  @Test
  void aLaterVersionOfTheModuleReadsTheSameForm() {
    // Change the format's number together with this: replicas of both versions exchange states in a rolling upgrade.
    Whole from = new Whole();
    from.more = 3;
    ((Plain) from).list.add("c");
    byte[] captured = model(Whole.class).stateOf(from).captureState();
    String fields = java.util.HexFormat.of().formatHex(captured, 16, captured.length);
    assertEquals("0136010103826303826106", fields);
  }

  static class Long2 {
    @ReplicatedState Shop.Item first;
  }

  private static Long2 chain(int length) {
    Long2 chain = new Long2();
    for (int i = 0; i < length; i++) {
      Shop.Item item = new Shop.Item("i");
      item.next = chain.first;
      chain.first = item;
    }
    return chain;
  }

  @Test
  void depthIsBounded() throws Exception {
    Throwable[] thrown = new Throwable[1];
    // A smaller stack than that of any server's thread.
    Thread small = new Thread(null, () -> {
      try {
        Long2 into = restored(chain(Graph.MAX_DEPTH - 2), new Long2());
        assertNotNull(into.first.next);
      } catch (Throwable e) {
        thrown[0] = e;
      }
    }, "small stack", 512 << 10);
    small.start();
    small.join();
    assertNull(thrown[0]);
    StateException refused =
        assertThrows(StateException.class, () -> model(Long2.class).stateOf(chain(Graph.MAX_DEPTH + 1)).captureState());
    assertTrue(refused.getMessage().contains("the state has more than 400 objects within objects"), refused.getMessage());
    assertTrue(refused.getMessage().length() < 1_000, refused.getMessage());
  }

  @Test
  void theSizeIsBounded() {
    Objects objects = new Objects();
    objects.any = "x".repeat(10_000);
    StateModel model = StateModel.of(Objects.class, new StateRules(Set.of(), 5_000));
    String message = assertThrows(StateException.class, () -> model.stateOf(objects).captureState()).getMessage();
    assertTrue(message.contains("larger than 5000 bytes"), message);
    objects.any = "x";
    assertTrue(model.stateOf(objects).captureState().length < 100);
  }

  record Pair(List<Object> left) {}

  static class Pairs {
    @ReplicatedState(types = Pair.class) Pair first;
    @ReplicatedState List<Object> list = new ArrayList<>();
  }

  @Test
  void aCycleThroughARecordIsRejectedAtCapture() {
    Pairs pairs = new Pairs();
    pairs.first = new Pair(pairs.list);
    pairs.list.add(pairs.first);
    String message = assertThrows(StateException.class, () -> model(Pairs.class).stateOf(pairs).captureState()).getMessage();
    assertTrue(message.contains("contains itself"), message);
    pairs.list.clear();
    Pairs into = restored(pairs, new Pairs());
    assertSame(into.list, into.first.left());
  }

  static class Post {
    @ReplicatedState List<Letter> letters = new ArrayList<>();
  }

  static class XmlPost {
    @ReplicatedState(xml = Letter.class) List<Letter> letters = new ArrayList<>();
  }

  @Test
  void jaxbClassesMayBeCapturedAsXml() {
    String refused = refused(Post.class);
    assertTrue(refused.startsWith("Post.letters -> Collection element -> Letter.content -> JAXBElement."), refused);
    XmlPost post = new XmlPost();
    Letter letter = new Letter();
    letter.content = new ObjectFactory().createText("<Grüße>");
    letter.sent = DatatypeFactory.newDefaultInstance().newXMLGregorianCalendar("2026-03-04T05:06:07Z");
    post.letters.add(letter);
    Letter into = restored(post, new XmlPost()).letters.get(0);
    assertEquals("<Grüße>", into.content.getValue());
    assertEquals(letter.sent, into.sent);
    assertEquals(model(XmlPost.class).fingerprint(), model(XmlPost.class).fingerprint());
    byte[] state = model(XmlPost.class).stateOf(post).captureState();
    String text = new String(state, StandardCharsets.ISO_8859_1);
    byte[] entity = text.replace("<state", "<!DOCT").getBytes(StandardCharsets.ISO_8859_1);
    StateException bad =
        assertThrows(StateException.class, () -> model(XmlPost.class).stateOf(new XmlPost()).restoreState(entity));
    assertTrue(bad.getMessage().contains("cannot be read from captured XML"), bad.getMessage());
  }

  static class Money implements Serializable {
    private static final long serialVersionUID = 1L;
    final InputStream none = null;
    final long cents;

    Money(long cents) {
      this.cents = cents;
    }
  }

  static class Account {
    @ReplicatedState Money money = new Money(0);
  }

  static class Evil extends Money {
    private static final long serialVersionUID = 1L;
    static int read;

    Evil() {
      super(0);
    }

    private Object readResolve() {
      read++;
      return this;
    }
  }

  @Test
  void javaSerializationIsForListedClassesOnly() {
    assertTrue(refused(Account.class).contains("Account.money -> Money.none -> java.io.InputStream"), refused(Account.class));
    StateModel model = StateModel.of(Account.class, new StateRules(Set.of(Money.class.getName()), 10_000));
    Account account = new Account();
    account.money = new Money(47);
    byte[] captured = model.stateOf(account).captureState();
    Account into = new Account();
    model.stateOf(into).restoreState(captured);
    assertEquals(47, into.money.cents);
    account.money = new Evil();
    String message = assertThrows(StateException.class, () -> model.stateOf(account).captureState()).getMessage();
    assertTrue(message.contains("not among the declared types"), message);
    assertEquals(0, Evil.read);
  }

  @Test
  void aModelIsSharedByThreads() throws Exception {
    StateModel model = model(Shop.class);
    ExecutorService threads = Executors.newFixedThreadPool(4);
    try {
      List<Future<Integer>> all = new ArrayList<>();
      for (int thread = 0; thread < 4; thread++) {
        int number = thread;
        all.add(threads.submit(() -> {
          for (int i = 0; i < 200; i++) {
            Shop shop = Shop.filled();
            shop.count = number * 1000 + i;
            Shop into = new Shop();
            model.stateOf(into).restoreState(model.stateOf(shop).captureState());
            assertEquals(shop.count, into.count);
            assertSame(into.first, into.first.next.next);
          }
          return number;
        }));
      }
      for (Future<Integer> one : all) {
        assertNotNull(one.get());
      }
    } finally {
      threads.shutdown();
    }
  }
}
