package org.understudy.wsat.coordinator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.understudy.wsat.addressing.InstanceIds;

class ActivitiesTest {
  private final AtomicLong now = new AtomicLong();
  private final InstanceIds ids = new InstanceIds(new byte[] {1}, "/coordinator/");
  private final Activities activities = new Activities(ids, now::get);

  @Test
  void aTransactionThatExpiresIsForgottenWithItsClients() {
    List<String> forgotten = new ArrayList<>();
    assertNull(activities.place(""));
    activities.begun("a", "", 10);
    activities.completes("a", () -> forgotten.add("client"));
    now.set(10);
    assertNull(activities.place(""));
    assertEquals(List.of(), forgotten);
    now.set(11);
    assertNull(activities.place(""));
    assertEquals(List.of("client"), forgotten);
  }

  @Test
  void transactionsAndRegistrationsHaveLimits() {
    assertNull(activities.place(""));
    activities.begun("a", "", 10);
    for (int i = 0; i < Activities.MAX_REGISTERED; i++) {
      assertNull(activities.register("a", 1));
    }
    String many = activities.register("a", 1);
    assertTrue(many.contains("the maximum of this coordinator"), many);
    assertNull(activities.register("recovered", 1), "Narayana refuses it");
    String full = null;
    int begun = 1;
    for (int client = 0; client < 5; client++) {
      for (full = activities.place("client" + client); full == null; full = activities.place("client" + client)) {
        begun++;
        activities.begun("b" + begun, "client" + client, 20);
      }
      assertTrue(client >= 3 || full.startsWith("This client has reached its share"), full);
    }
    assertEquals(Activities.MAX_OPEN, begun);
    assertTrue(full.startsWith("This replica has reached its limit"), full);
    now.set(21);
    assertNull(activities.place("client0"));
  }

  @Test
  void registrationsInTheTransactionsOfOneClientHoldAShareOfTheMemoryUntilTheyExpire() {
    Activities small = new Activities(ids, now::get, 400);
    for (String id : List.of("a1", "a2", "b1")) {
      String client = id.substring(0, 1);
      assertNull(small.place(client));
      small.begun(id, client, id.equals("a2") ? 20 : 10);
    }
    assertNull(small.register("a1", 60));
    String full = small.register("a2", 60);
    assertTrue(full.startsWith("This client has reached its share: its registrations") && full.contains("hold 100 bytes"), full);
    assertNull(small.register("a2", 40));
    assertNull(small.register("b1", 100), "another client has its own");
    now.set(11);
    assertNull(small.register("a2", 60), "the other transaction has expired");
    assertNotNull(small.register("a2", 1));
  }

  @Test
  void aPlaceThatIsNotUsedIsGivenBack() {
    for (int i = 0; i < Activities.MAX_OPEN; i++) {
      assertNull(activities.place("client"));
      activities.notBegun("client");
    }
  }

  @Test
  void anIdIsKnownByItsCodeOnly() {
    String signed = ids.signed("0:1");
    assertEquals("0:1", ids.verified(signed));
    assertEquals("0:1", ids.verified(" " + signed + " "));
    assertNull(ids.verified("0:1"));
    assertNull(ids.verified("0:2" + signed.substring(3)));
    assertNull(ids.verified(signed.substring(0, signed.length() - 1)));
    assertNull(ids.verified(null));
    assertNotEquals(signed, new InstanceIds(new byte[] {2}, "").signed("0:1"));
  }
}
