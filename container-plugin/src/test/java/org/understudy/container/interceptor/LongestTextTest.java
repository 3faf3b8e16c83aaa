package org.understudy.container.interceptor;

import static org.junit.jupiter.api.Assertions.assertEquals;

import jakarta.xml.bind.JAXBElement;
import jakarta.xml.ws.Holder;
import java.math.BigDecimal;
import java.time.DayOfWeek;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import javax.xml.namespace.QName;
import org.junit.jupiter.api.Test;

class LongestTextTest {
  /** As a class that a data binding marshals. */
  private static class Base {
    static String shared = "not a part of any result";
    private final String inherited;

    Base(String inherited) {
      this.inherited = inherited;
    }

    @Override
    public String toString() {
      throw new AssertionError("No method of a service's class is called: " + inherited + shared);
    }
  }

  private static final class Page extends Base {
    long number = 1;
    DayOfWeek day = DayOfWeek.MONDAY;
    BigDecimal price = BigDecimal.TEN;
    Object content;
    Holder<String[]> held = new Holder<>(new String[0]);

    Page(Object content, String inherited) {
      super(inherited);
      this.content = content;
    }

    @Override
    public boolean equals(Object other) {
      throw new AssertionError("The pages " + number + day + price + content + held.value.length + " are compared by identity only.");
    }

    @Override
    public int hashCode() {
      throw new AssertionError("The pages are compared by identity only.");
    }
  }

  @Test
  void findsItWhereverItIs() {
    assertEquals(0, LongestText.of(null));
    assertEquals(0, LongestText.of(List.of(1, 2L, new byte[100])));
    assertEquals(4, LongestText.of("four"));
    assertEquals(4, LongestText.of(Arrays.asList("a", null, "four", "bc")));
    assertEquals(4, LongestText.of(new Object[] {new Holder<>("four")}));
    assertEquals(4, LongestText.of(Map.of("four", "one")));
    assertEquals(4, LongestText.of(Map.of("one", new JAXBElement<>(new QName("a"), String.class, "four"))));
    assertEquals(4, LongestText.of(new Page(List.of(new Page("four", "a")), "b")));
    assertEquals(4, LongestText.of(new Page(null, "four")));
    Page holding = new Page(null, "");
    holding.held.value = new String[] {"four"};
    assertEquals(4, LongestText.of(holding));
  }

  @Test
  void endsWhereObjectsReferToEachOther() {
    Page first = new Page(null, "first");
    first.content = List.of(first, new Page(first, "second"));
    assertEquals(6, LongestText.of(first));
  }

  @Test
  void looksAtABoundedNumberOfObjects() {
    List<Object> many = new ArrayList<>(Collections.nCopies(3, "three"));
    for (int i = 0; i < 20_000; i++) {
      many.add(new Page("one", "page " + i));
    }
    many.add(new Page("the last of very many", ""));
    assertEquals(9, LongestText.of(many));
  }
}
