package org.understudy.replication.core.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.understudy.replication.api.ReadLevel;
import org.understudy.replication.api.VersionHandle;
import org.understudy.replication.core.Input;
import org.understudy.replication.core.request.Request;

/** Requests that wait for an update continue when it is applied, and the others are not looked at. */
class HeldRequestsTest {
  private final HeldRequests held = new HeldRequests(100);

  private void add(long token, long position) {
    Request read = new Request(null, 0, Request.Kind.READ, ReadLevel.SESSION, VersionHandle.INITIAL, 0, "");
    held.add(new Input.Requested(token, read), position, null);
  }

  private static List<Long> tokens(List<Input.Requested> some) {
    return some.stream().map(Input.Requested::token).toList();
  }

  @Test
  void requestsContinueInTheOrderOfWhatTheyWaitFor() {
    add(1, 7);
    add(2, 5);
    add(3, 0);
    add(4, 5);
    add(5, 9);
    assertEquals(List.of(3L), tokens(held.takeUpTo(4)));
    assertEquals(List.of(2L, 4L), tokens(held.takeUpTo(6)));
    assertEquals(List.of(), held.takeUpTo(6));
    held.remove(1);
    assertEquals(List.of(), held.takeUpTo(8));
    add(6, 3);
    assertEquals(List.of(5L, 6L), tokens(held.takeAll()), "in the order of arrival");
    assertTrue(held.isEmpty());
  }

  @Test
  void placesAreFreeAgain() {
    for (int round = 0; round < 3; round++) {
      for (long token = 1; token <= 50; token++) {
        add(token, token);
      }
      assertEquals(50, held.takeUpTo(50).size());
    }
  }
}
