package org.understudy.replication.runtime.management;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

class JsonObjectTest {
  @Test
  void membersStandInTheOrderInWhichTheyWerePut() {
    assertEquals(
        "{\"serves\":[\"update\", \"a \\\"\"],\"replica\":2,\"writable\":false,\"members\":[1, 3],\"role\":\"BACKUP\"}",
        new JsonObject()
            .putTexts("serves", List.of("update", "a \""))
            .put("replica", 2)
            .put("writable", false)
            .put("members", List.of(1L, 3L))
            .put("role", "BACKUP")
            .toString());
    assertEquals("{}", new JsonObject().toString());
    assertEquals("{\"members\":[]}", new JsonObject().put("members", List.of()).toString());
  }

  @Test
  void textCannotEscapeItsQuotationMarks() {
    assertEquals(
        "{\"halted\":\"a \\\"step\\\" threw:\\u000a\\\\ \\u0000\"}",
        new JsonObject().put("halted", "a \"step\" threw:\n\\ \0").toString());
  }
}
