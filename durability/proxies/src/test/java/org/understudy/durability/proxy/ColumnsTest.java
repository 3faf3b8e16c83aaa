package org.understudy.durability.proxy;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.DayOfWeek;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** A column may have another type of number than the method takes, and nothing else. */
class ColumnsTest {
  @Test
  void aNumberOfAnotherTypeFits() {
    assertEquals(7L, Columns.number(new BigDecimal("7.00")).longValue());
    assertEquals(1, Columns.number(true).intValue(), "TINYINT(1) of MySQL");
    assertEquals(new BigDecimal("7"), Columns.decimal(7));
    assertEquals(new BigDecimal("7.5"), Columns.decimal(7.5));
    assertEquals(new BigDecimal("7.50"), Columns.decimal(new BigDecimal("7.50")));
    assertEquals(BigInteger.TWO, Columns.integer(2L));
    assertEquals(BigInteger.TWO, Columns.integer(BigInteger.TWO));
    assertTrue(Columns.flag((short) 1));
    assertEquals("7", Columns.text(7));
    assertEquals("00000000-0000-0001-0000-000000000002", Columns.text(new UUID(1, 2)));
    assertEquals(new UUID(1, 2), Columns.uuid("00000000-0000-0001-0000-000000000002"));
    assertEquals(DayOfWeek.MONDAY, Columns.constant(DayOfWeek.class, "MONDAY"));
    assertEquals('x', Columns.character("xy"));
    assertArrayEquals(new byte[] {1}, Columns.bytes(new byte[] {1}));
    assertEquals(LocalDate.of(2026, 3, 29), Columns.date(LocalDateTime.parse("2026-03-29T02:30:00")));
    assertEquals(Instant.parse("2026-03-29T02:30:00Z"), Columns.instant(LocalDateTime.parse("2026-03-29T02:30:00")));
  }

  @Test
  void aNullIsNullOrRefused() {
    assertNull(Columns.decimal(null));
    assertNull(Columns.integer(null));
    assertNull(Columns.text(null));
    assertNull(Columns.instant(null));
    assertNull(Columns.constant(DayOfWeek.class, null));
    assertNull(Columns.uuid(null));
    IllegalStateException refused = assertThrows(IllegalStateException.class, () -> Columns.number(null));
    assertTrue(refused.getMessage().startsWith("A column is null where the durability mapping needs a value of a primitive type."));
    assertThrows(IllegalStateException.class, () -> Columns.flag(null));
  }

  @Test
  void aValueThatDoesNotFitIsNamed() {
    IllegalStateException refused = assertThrows(IllegalStateException.class, () -> Columns.time(LocalDate.of(2026, 3, 29)));
    assertTrue(refused.getMessage().startsWith("A column holds a LocalDate where the durability mapping needs a LocalDateTime."));
    assertThrows(IllegalStateException.class, () -> Columns.text(new byte[1]));
    assertThrows(IllegalStateException.class, () -> Columns.number("7"));
    refused = assertThrows(IllegalStateException.class, () -> Columns.constant(DayOfWeek.class, "FREEDAY"));
    assertEquals("A column holds a text that is no constant of java.time.DayOfWeek.", refused.getMessage());
    refused = assertThrows(IllegalStateException.class, () -> Columns.integer(new BigDecimal("7.5")));
    assertEquals("A column holds 7.5 where the durability mapping needs a whole number.", refused.getMessage());
  }
}
