package org.understudy.container.transaction;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.understudy.replication.api.FailureCode;

class FirstCallsTest {
  private final FirstCalls calls = new FirstCalls();

  private static OpenTransaction of(String owner) {
    return new OpenTransaction("urn:test", "", owner, null, 0, gone -> {});
  }

  /** Lets a client's calls wait for their coordinator while this happens. */
  private RefusedCallException during(int waiting, String owner, Supplier<RefusedCallException> then) {
    return waiting == 0 ? then.get() : calls.register(of(owner), transaction -> during(waiting - 1, owner, then));
  }

  private RefusedCallException call(String owner) {
    return calls.register(of(owner), transaction -> null);
  }

  @Test
  void aClientWhoseCoordinatorIsSilentLeavesPlacesToOthers() {
    RefusedCallException refused = during(16, "one", () -> {
      assertNull(call("other"));
      return call("one");
    });
    assertEquals(FailureCode.Overloaded, refused.failure().code());
    assertTrue(refused.getMessage().contains("This client has reached its share"), refused.getMessage());
    assertNull(call("one"), "the places are free again");
  }

  @Test
  void allClientsTogetherHaveALimit() {
    RefusedCallException refused =
        during(16, "a", () -> during(16, "b", () -> during(16, "c", () -> during(16, "d", () -> call("e")))));
    assertEquals(FailureCode.Overloaded, refused.failure().code());
    assertTrue(refused.getMessage().contains("This replica has reached its limit"), refused.getMessage());
    assertNull(call("e"));
  }
}
