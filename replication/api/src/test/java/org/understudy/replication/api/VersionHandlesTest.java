package org.understudy.replication.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class VersionHandlesTest {
  private static VersionHandles of(String... handles) {
    VersionHandles all = VersionHandles.NONE;
    for (String handle : handles) {
      all = all.with(VersionHandle.parse(handle));
    }
    return all;
  }

  @Test
  void withinAScopeTheEpochComesFirst() {
    assertTrue(VersionHandle.ofGroup(3, 1).isAfter(VersionHandle.ofGroup(2, 9)));
    assertTrue(VersionHandle.ofGroup(3, 2).isAfter(VersionHandle.ofGroup(3, 1)));
    assertFalse(VersionHandle.ofGroup(3, 1).isAfter(VersionHandle.ofGroup(3, 1)));
    assertFalse(VersionHandle.ofGroup(2, 9).isAfter(VersionHandle.ofGroup(3, 1)));
  }

  @Test
  void scopesAreNeverCompared() {
    VersionHandle other = new VersionHandle("orders", 1, 1);
    assertThrows(IllegalArgumentException.class, () -> other.isAfter(VersionHandle.INITIAL));
  }

  @Test
  void handleWithoutScopeBelongsToTheGroup() {
    assertEquals(VersionHandle.ofGroup(3, 1234), VersionHandle.parse("3.1234"));
    assertEquals(VersionHandle.ofGroup(3, 1234), VersionHandle.parse("group:3.1234"));
    assertEquals("3.1234", VersionHandle.ofGroup(3, 1234).toString());
    assertEquals(new VersionHandle("a.b-c_1", 0, VersionHandle.MAX), VersionHandle.parse("a.b-c_1:0." + VersionHandle.MAX));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", ".", "1", "1.", ".1", "-1.2", "1.-2", "+1.2", "1.2.3", "a.b", "1 .2", ":1.2", "a:1", "a:.2",
      "a b:1.2", "é:1.2", "a:b:1.2", "a:1.2<", "\u0663.1", "281474976710657.1", "1.99999999999999999999", "1.2/"})
  void anInvalidHandleIsRefused(String text) {
    assertThrows(IllegalArgumentException.class, () -> VersionHandle.parse(text));
  }

  @Test
  void aScopeThatIsTooLongIsRefused() {
    assertThrows(IllegalArgumentException.class, () -> VersionHandle.parse("a".repeat(65) + ":1.1"));
    assertThrows(IllegalArgumentException.class, () -> new VersionHandle("", 1, 1));
  }

  @Test
  void theHighestOfEachScopeStays() {
    VersionHandles some = of("1.9", "a:1.5", "b:2.2");
    assertSame(some, some.with(VersionHandle.parse("1.9")));
    assertSame(some, some.with(VersionHandle.parse("b:1.7")));
    VersionHandles merged = some.merge(of("2.3", "a:1.6", "c:1.1"));
    assertEquals(VersionHandle.ofGroup(2, 3), merged.ofGroup());
    assertEquals(List.of("b:2.2", "a:1.6", "c:1.1"), merged.ofOtherScopes().stream().map(VersionHandle::toString).toList());
    assertEquals(merged, merged.merge(some));
  }

  @Test
  void versionsSurviveTheirStringForm() {
    VersionHandles some = of("3.1235", "orders:2.17");
    assertEquals("3.1235/orders:2.17", some.toString());
    assertEquals(some, VersionHandles.parse(some.toString()));
    assertEquals(VersionHandles.NONE, VersionHandles.parse(VersionHandles.NONE.toString()));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "/", "1.1/", "/a:1.1", "a:1.1", "1.1/2.2", "1.1/a:1.1/a:1.2", "1.1/group:1.1", "1.1 /a:1.1",
      "1.1;a:1.1"})
  void anInvalidStringIsRefused(String text) {
    assertThrows(IllegalArgumentException.class, () -> VersionHandles.parse(text));
  }

  @Test
  void scopesAreBounded() {
    VersionHandles many = of("1.1");
    for (int i = 1; i < 200; i++) {
      many = many.with(new VersionHandle("scope" + i, 1, i));
    }
    assertEquals(VersionHandles.MAX_SCOPES - 1, many.ofOtherScopes().size());
    assertEquals(VersionHandle.ofGroup(1, 1), many.ofGroup());
    assertEquals("scope199:1.199", many.ofOtherScopes().get(VersionHandles.MAX_SCOPES - 2).toString());
    assertEquals(many, VersionHandles.parse(many.toString()));
    String full = many.toString();
    assertThrows(IllegalArgumentException.class, () -> VersionHandles.parse(full + "/one-more:1.1"));
    assertThrows(IllegalArgumentException.class, () -> VersionHandles.parse("1.1" + "/a:1.1".repeat(100_000)));
  }
}
