package org.understudy.session.record;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import jakarta.el.ExpressionFactory;
import jakarta.el.StandardELContext;
import jakarta.el.ValueExpression;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** What attributes may contain, on writing and on reading. */
class AttributeFormTest {
  /** The classes of these tests are not of the web application. */
  private static final ClassLoader APPLICATION = new ClassLoader(AttributeFormTest.class.getClassLoader()) {};

  private final AttributeForm form = new AttributeForm(new AttributeClasses(APPLICATION, List.of()));

  private record Point(int x, int y) implements Serializable {}

  private static byte[] written(Object value) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(value);
    }
    return bytes.toByteArray();
  }

  @Test
  void valuesAndCollectionsOfTheJdkAreKept() {
    List<Object> values =
        List.of(
            "text", 1, 2L, 3.0, true, 'c', new BigDecimal("1.50"), Instant.EPOCH, UUID.randomUUID(), new int[0].length,
            new ArrayList<>(List.of("a", List.of("b"))), new HashMap<>(Map.of("k", Set.of(1, 2))), new TreeMap<>(Map.of("a", "b")),
            new ConcurrentHashMap<>(Map.of("a", 1)), Arrays.asList("x", "y"), new EnumMap<>(Map.of(TimeUnit.DAYS, 1)));
    for (Object value : values) {
      assertEquals(value, form.read("a", form.write("a", value, 0)), value.getClass().getName());
    }
  }

  @Test
  void anotherClassIsRefusedOnWritingAndOnReading() throws IOException {
    AttributeException onWriting = assertThrows(AttributeException.class, () -> form.write("place", List.of(new Point(1, 2)), 0));
    assertTrue(onWriting.details().contains("place") && onWriting.details().contains("Point"), onWriting.details());
    assertFalse(onWriting.getMessage().contains("place") || onWriting.getMessage().contains("Point"), onWriting.getMessage());
    byte[] bytes = written(new ArrayList<>(List.of(new Point(1, 2))));
    assertThrows(AttributeException.class, () -> form.read("place", bytes));
    AttributeForm listed = new AttributeForm(new AttributeClasses(APPLICATION, List.of(Point.class.getName())));
    assertEquals(List.of(new Point(1, 2)), listed.read("place", listed.write("place", new ArrayList<>(List.of(new Point(1, 2))), 0)));
    AttributeForm packaged = new AttributeForm(new AttributeClasses(APPLICATION, List.of("org.understudy.session.record.*")));
    assertEquals(new Point(3, 4), packaged.read("place", packaged.write("place", new Point(3, 4), 0)));
  }

  /** Of an annotation, which frameworks of dependency injection keep. */
  @Retention(RetentionPolicy.RUNTIME)
  private @interface Qualified {
    String value();
  }

  /** Has an annotation. */
  @Qualified("one")
  private static final class Bean {}

  /** Handles calls of a proxy. */
  private record Handler(int answer) implements InvocationHandler, Serializable {
    @Override
    public Object invoke(Object proxy, Method method, Object[] arguments) {
      return answer;
    }
  }

  @Test
  void proxiesAndLambdasOfTheApplicationAreKept() {
    AttributeForm listed = new AttributeForm(new AttributeClasses(APPLICATION, List.of("org.understudy.session.record.*")));
    Qualified annotation = Bean.class.getAnnotation(Qualified.class);
    assertEquals(List.of(annotation), listed.read("a", listed.write("a", new ArrayList<>(List.of(annotation)), 0)));
    Object proxy = Proxy.newProxyInstance(APPLICATION, new Class<?>[] {Comparable.class}, new Handler(7));
    assertEquals(7, ((Comparable<?>) listed.read("p", listed.write("p", proxy, 0))).compareTo(null));
    Supplier<String> lambda = (Supplier<String> & Serializable) () -> "text";
    assertEquals("text", ((Supplier<?>) listed.read("l", listed.write("l", lambda, 0))).get());
    assertThrows(AttributeException.class, () -> form.write("p", proxy, 0));
    assertThrows(AttributeException.class, () -> form.read("p", written(proxy)));
  }

  /** The state of a view of Jakarta Faces contains them, and the class loader of Tomcat has their classes. */
  @Test
  void expressionsAreKept() {
    ExpressionFactory factory = ExpressionFactory.newInstance();
    ValueExpression sum = factory.createValueExpression(new StandardELContext(factory), "#{1 + 2}", Integer.class);
    ValueExpression kept = (ValueExpression) form.read("sum", form.write("sum", sum, 0));
    assertEquals("#{1 + 2}", kept.getExpressionString());
    assertEquals(3, (Integer) kept.getValue(new StandardELContext(factory)));
  }

  @Test
  void anExceptionAndItsTraceAreKept() {
    Exception failure = new IllegalArgumentException("bad", new IOException("cause"));
    Exception kept = (Exception) form.read("e", form.write("e", failure, 0));
    assertEquals("java.io.IOException: cause", kept.getCause().toString());
    assertEquals(List.of(failure.getStackTrace()), List.of(kept.getStackTrace()));
  }

  @Test
  void proxiesAndLambdasOfOtherClassesAreRefused() throws IOException {
    Object proxy = Proxy.newProxyInstance(APPLICATION, new Class<?>[] {Comparable.class}, (self, method, arguments) -> 0);
    assertThrows(AttributeException.class, () -> form.write("proxy", proxy, 0));
    Runnable lambda = (Runnable & Serializable) () -> {};
    assertThrows(AttributeException.class, () -> form.write("lambda", lambda, 0));
    byte[] bytes = written(lambda);
    assertThrows(AttributeException.class, () -> form.read("lambda", bytes));
  }

  @Test
  void depthAndDamageAreBounded() throws IOException {
    List<Object> deep = new ArrayList<>();
    for (int i = 0; i < 500; i++) {
      List<Object> outer = new ArrayList<>();
      outer.add(deep);
      deep = outer;
    }
    byte[] bytes = written(deep);
    assertThrows(AttributeException.class, () -> form.read("deep", bytes));
    byte[] damaged = form.write("text", new ArrayList<>(List.of("a", "b", "c")), 0);
    for (int i = 0; i < damaged.length; i++) {
      byte[] one = damaged.clone();
      one[i] ^= 0x55;
      try {
        form.read("text", one);
      } catch (AttributeException e) {
        assertTrue(e.details().contains("text"), e.details());
        assertFalse(e.getMessage().contains("text"), e.getMessage());
      }
    }
  }

  @Test
  void aRecordIsReadAsItWasWritten() {
    SessionRecord record = new SessionRecord(1, 2, 1_800, "FORM", "alice", List.of("a", "b"), List.of("x", "y"));
    assertEquals(record, SessionRecord.decode(record.encode()));
    byte[] bytes = record.encode();
    for (int length = 0; length < bytes.length; length++) {
      byte[] cut = Arrays.copyOf(bytes, length);
      assertThrows(IllegalArgumentException.class, () -> SessionRecord.decode(cut));
    }
    assertTrue(record.isExpired(2 + 2_250_000));
    assertEquals(false, record.isExpired(2 + 2_249_999));
    assertEquals(false, new SessionRecord(1, 2, -1, null, null, List.of(), List.of()).isExpired(Long.MAX_VALUE));
  }
}
