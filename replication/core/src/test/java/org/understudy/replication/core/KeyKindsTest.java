package org.understudy.replication.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.understudy.replication.core.limit.KeyKind;
import org.understudy.replication.core.limit.KeyKinds;

class KeyKindsTest {
  private final KeyKind resources = KeyKind.counted("", "resources", 10, "resources");
  private final KeyKind service = KeyKind.common("service");
  private final KeyKind points = KeyKind.counted("point/", "points", 10, "points");
  private final KeyKind messages = KeyKind.parts("in/", "point/");
  private final KeyKinds kinds = new KeyKinds(List.of(resources, service, points, messages));

  @Test
  void keyHasTheKindOfItsPrefix() {
    assertSame(resources, kinds.of("0123"));
    assertSame(service, kinds.of("service"));
    assertSame(points, kinds.of("point/1"));
    assertSame(messages, kinds.of("in/1/2"));
    assertEquals(KeyKind.Payer.CREATOR, kinds.of("other/1").payer());
  }

  @Test
  void scopeIsNotPartOfTheKind() {
    assertSame(resources, kinds.of("@hello/0123"));
    assertSame(service, kinds.of("@hello/service"));
    assertSame(points, kinds.of("@hello/point/1"));
    assertSame(messages, kinds.of("@hello/in/1/2"));
  }

  @Test
  void partHasAParentInItsOwnScope() {
    assertEquals("point/1", messages.parentOf("in/1/2"));
    assertEquals("@hello/point/1", messages.parentOf("@hello/in/1/2"));
  }

  @Test
  void noPrefixStartsLikeAScope() {
    assertThrows(IllegalArgumentException.class, () -> new KeyKinds(List.of(KeyKind.common("@x/"))));
  }
}
