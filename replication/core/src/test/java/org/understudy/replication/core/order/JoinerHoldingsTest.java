package org.understudy.replication.core.order;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.core.ReplicaSetup;
import org.understudy.replication.core.Rule;
import org.understudy.replication.core.Timing;
import org.understudy.replication.core.limit.Limits;
import org.understudy.replication.core.record.Recovered;
import org.understudy.replication.core.request.Request;
import org.understudy.replication.core.request.Response;
import org.understudy.replication.core.session.GroupState;
import org.understudy.replication.core.store.Holdings;
import org.understudy.replication.core.store.Item;
import org.understudy.replication.core.store.StateItems;
import org.understudy.replication.core.transfer.TransferMessage.Snapshot;
import org.understudy.replication.core.update.Eviction;
import org.understudy.replication.core.update.StateChange;
import org.understudy.replication.core.update.StateUpdate;

/** What a joiner offers, and what it builds from that and the parts of transfers. */
class JoinerHoldingsTest {
  private static final int WIRE = 3;
  private static final ReplicaSetup SETUP =
      new ReplicaSetup(
          new ReplicaId(1),
          List.of(new ReplicaId(1)),
          Recovered.NOTHING,
          1,
          Timing.of(Duration.ofMillis(50), Duration.ofMillis(400)),
          Limits.DEFAULTS,
          Rule.ALL);

  private final Random random = new Random(7);
  private final GroupState donor = new GroupState(SETUP);
  private final GroupState own = new GroupState(SETUP);
  private final JoinerHoldings joiner = new JoinerHoldings(SETUP, own);

  private static StateUpdate update(long index, String key, byte[] state) {
    return new StateUpdate(
        index, Request.Kind.UPDATE, null, 0, 0, "", 0, new Response((byte) 0, new byte[0]),
        List.of(new StateChange(key, state)), Eviction.NONE);
  }

  private void change(int times) {
    for (int i = 0; i < times; i++) {
      byte[] state = random.nextInt(4) == 0 ? null : new byte[] {(byte) random.nextInt()};
      donor.apply(update(donor.applied() + 1, "r" + random.nextInt(60), state));
    }
  }

  private boolean reliesOn(Holdings held) {
    return held.isAny() && donor.removalsFloor() <= held.oldest();
  }

  private static void assertSame(List<StateChange> expected, List<StateChange> actual, String message) {
    assertEquals(
        expected.stream().map(StateChange::resource).toList(), actual.stream().map(StateChange::resource).toList(), message);
    for (int i = 0; i < expected.size(); i++) {
      assertArrayEquals(expected.get(i).state(), actual.get(i).state(), message);
    }
  }

  /** @return the resources sent */
  private int transfer(long epoch, int parts) {
    Holdings held = joiner.offer(donor.applied(), own.applied());
    held = reliesOn(held) ? held : Holdings.NOTHING;
    long index = donor.applied();
    List<StateChange> expected = donor.resources();
    int sent = 0;
    try (StateItems items = donor.snapshot(true, held, index, WIRE)) {
      Item next = items.next();
      for (int part = 0; part < parts; part++) {
        List<Item> some = new ArrayList<>();
        for (int i = 0; i < 7 && next != null; i++) {
          some.add(next);
          sent += next instanceof Item.Resource ? 1 : 0;
          next = items.next();
        }
        Snapshot message = new Snapshot(epoch, 1, part, next == null, index, held.number(), some, WIRE);
        assertTrue(joiner.canUse(message));
        joiner.restore(message);
        change(random.nextInt(3));
        if (next == null) {
          assertSame(expected, joiner.arrived().resources(), "as of " + index);
          own.replace(joiner.arrived(), index);
          joiner.follow(epoch);
          return sent;
        }
      }
    }
    joiner.interrupt();
    return sent;
  }

  @Test
  void stateIsTheDonorsHoweverOftenTransfersAreInterrupted() {
    for (int round = 1; round <= 600; round++) {
      change(random.nextInt(20));
      transfer(round, random.nextInt(6));
    }
    change(10);
    transfer(1_000, Integer.MAX_VALUE);
    assertTrue(transfer(1_001, Integer.MAX_VALUE) <= 10, "only what has changed");
  }

  /** Another donor than the one that the offer was made to may have an older state. */
  @Test
  void laterChangesThanTheDonorsAreLacking() {
    donor.apply(update(1, "a", new byte[] {1}));
    donor.apply(update(2, "b", new byte[] {1}));
    transfer(1, Integer.MAX_VALUE);
    own.apply(update(3, "a", new byte[] {3}));
    own.apply(update(4, "b", null));
    Holdings held = joiner.offer(2, 4);
    assertEquals(List.of("a", "b"), held.lacking());
    assertEquals(List.of(new Holdings.Range(null, 2)), held.ranges());
    assertEquals(held, joiner.offer(2, 4), "the same offer, however often it is requested");
  }

  @Test
  void partsOfAnotherOfferAreNotUsed() {
    change(50);
    transfer(1, Integer.MAX_VALUE);
    Holdings held = joiner.offer(donor.applied(), own.applied());
    Snapshot part = new Snapshot(2, 1, 0, false, 60, held.number(), List.of(new Item.Basis(60, 0)), WIRE);
    assertTrue(joiner.canUse(part));
    joiner.restore(part);
    assertTrue(joiner.canUse(part), "a late copy");
    assertFalse(joiner.canUse(new Snapshot(2, 1, 0, false, 61, held.number(), List.of(), WIRE)));
    joiner.interrupt();
    assertFalse(joiner.canUse(part), "it belongs to the transfer that was interrupted");
  }
}
