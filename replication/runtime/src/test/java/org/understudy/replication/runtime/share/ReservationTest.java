package org.understudy.replication.runtime.share;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** What a request takes counts until nothing holds it, and a client has its share. */
class ReservationTest {
  private final LocalShares shares = new LocalShares("requests hold %d bytes", 100);

  private Reservation reservation(String owner, long amount) {
    Reservation reservation = new Reservation(shares, owner);
    assertNull(reservation.grow(amount));
    return reservation;
  }

  @Test
  void theLastHolderGivesItBack() {
    Reservation reservation = reservation("a", 10);
    reservation.hold();
    reservation.release();
    assertEquals(10, shares.total());
    reservation.release();
    assertEquals(0, shares.total());
    assertNotNull(reservation.grow(1), "it has ended");
    assertEquals(0, shares.total());
  }

  @Test
  void aClientHasAQuarter() {
    Reservation first = reservation("a", 20);
    String full = new Reservation(shares, "a").grow(6);
    assertTrue(full.contains("its requests hold 25 bytes"), full);
    assertNotNull(new Reservation(shares, "a").grow(100));
    assertNull(new Reservation(shares, "b").grow(25));
    first.shrink(15);
    assertNull(new Reservation(shares, "a").grow(20));
    assertEquals(50, shares.total());
  }

  @Test
  void theOnlyRequestOfAClientMayExceedItsShare() {
    Reservation large = reservation("a", 20);
    assertNull(large.grow(60));
    assertNotNull(new Reservation(shares, "a").grow(1));
    reservation("b", 10);
    String full = large.grow(60);
    assertTrue(full.contains("requests hold 100 bytes"), full);
    assertEquals(90, shares.total());
  }

  @Test
  void fewClientsLeaveRoomForTheOthers() {
    List<Reservation> large = List.of(reservation("a", 10), reservation("b", 10), reservation("c", 10));
    for (Reservation each : large) {
      while (each.grow(5) == null) {
        // Each is the only request of its client, which its share does not bind.
      }
    }
    assertTrue(shares.total() > 75, "total " + shares.total());
    assertNull(new Reservation(shares, "d").grow(10));
  }

  @Test
  void anAmountThatIsRefusedTakesNobodysPlace() throws InterruptedException {
    Reservation large = reservation("a", 20);
    AtomicBoolean over = new AtomicBoolean();
    Thread refused = new Thread(() -> {
      while (!over.get()) {
        new Reservation(shares, "a").grow(90);
      }
    });
    refused.start();
    try {
      for (int i = 0; i < 300_000; i++) {
        Reservation small = reservation("b", 10);
        small.release();
      }
    } finally {
      over.set(true);
      refused.join();
    }
    large.release();
    assertEquals(0, shares.total());
  }

  @Test
  void theOnlyRequestAtAReplicaMayExceedItsLimit() {
    Reservation large = reservation("a", 20);
    assertNull(large.grow(1_000));
    assertNotNull(new Reservation(shares, "b").grow(1));
    large.release();
    assertEquals(0, shares.total());
  }

  @Test
  void bytesAreReservedAsTheyArrive() throws IOException {
    LocalShares held = new LocalShares("requests hold %d bytes", 1 << 20);
    Reservation reservation = new Reservation(held, "a");
    ReservedBytes body = new ReservedBytes(reservation, 2, 100_000);
    assertEquals(0, held.total(), "an announced length reserves nothing");
    byte[] sent = new byte[20_000];
    sent[19_999] = 7;
    ByteArrayInputStream in = new ByteArrayInputStream(sent);
    do {
      assertNull(body.room());
    } while (body.read(in) >= 0);
    assertEquals(20_000, body.length());
    assertEquals(2 * 32_768, held.total());
    assertNull(body.add(sent, 80_000 - 60_000));
    assertEquals(40_000, body.length());
    assertEquals(2 * 65_536, held.total());
    assertEquals(7, body.whole()[39_999]);
    body.drop();
    assertEquals(0, held.total());
  }

  @Test
  void bytesForWhichThereIsNoRoomAreRejected() {
    Reservation reservation = new Reservation(shares, "a");
    reservation("a", 10);
    ReservedBytes body = new ReservedBytes(reservation, 1, 100);
    assertNotNull(body.room());
    assertNotNull(body.add(new byte[1], 1));
    assertEquals(10, shares.total());
    assertArrayEquals(new byte[0], body.whole());
  }
}
