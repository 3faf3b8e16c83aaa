package org.understudy.replication.core.order;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.understudy.replication.core.VirtualLinks;
import org.understudy.replication.core.request.Request;
import org.understudy.replication.core.request.Response;
import org.understudy.replication.core.transfer.UpdateLog;
import org.understudy.replication.core.update.Eviction;
import org.understudy.replication.core.update.StateChange;
import org.understudy.replication.core.update.StateUpdate;

/** A replica that lacks updates gets them, over links of every length and width, and hardly anything twice. */
class CatchUpTest {
  private static final long HEARTBEAT = Duration.ofMillis(50).toNanos();
  private static final int HEADER_BYTES = 80;

  private final VirtualLinks links = new VirtualLinks();
  private final UpdateLog log = new UpdateLog();
  private VirtualLinks.Direction there;
  private VirtualLinks.Direction back;
  private CatchUp catchUp;
  private int updateBytes;
  /** What the outbox to the replica has room for; the rest of what is sent at once is dropped. */
  private long room = Long.MAX_VALUE;
  private long roundTrip;
  /** The last update that the replica has. */
  private long received;
  private long resent;
  /** Bytes of the updates that were sent when they were made. */
  private long direct;

  private void link(long delayMs, long kbits, int bytes) {
    there = links.direction(delayMs, kbits);
    back = links.direction(delayMs, kbits);
    updateBytes = bytes;
    catchUp = new CatchUp(log, HEARTBEAT);
  }

  private StateUpdate add() {
    StateUpdate update = new StateUpdate(
        log.end() + 1, Request.Kind.UPDATE, null, 0, 0, "", 0, new Response((byte) 0, new byte[0]),
        List.of(new StateChange("r", new byte[updateBytes])), Eviction.NONE);
    log.add(update);
    return update;
  }

  private void send(StateUpdate update) {
    there.send(HEADER_BYTES + update.bytes(), () -> {
      received += update.index() == received + 1 ? 1 : 0;
      acknowledge(update.index() > received);
    });
  }

  private void acknowledge(boolean gap) {
    long index = received;
    back.send(HEADER_BYTES, () -> {
      long left = room;
      for (StateUpdate update : catchUp.acknowledged(links.now(), index, gap, roundTrip)) {
        resent += update.bytes();
        left -= update.bytes();
        if (left >= 0) {
          send(update);
        }
      }
    });
  }

  private void beat() {
    long end = log.end();
    there.send(HEADER_BYTES, () -> acknowledge(end > received));
    links.after(HEARTBEAT, this::beat);
  }

  /** A client changes something from time to time. */
  private void write(long nanos, long until) {
    if (links.now() < until) {
      StateUpdate update = add();
      if (catchUp.takes(update.index())) {
        direct += update.bytes();
        send(update);
      }
      links.after(nanos, () -> write(nanos, until));
    }
  }

  private void run() {
    beat();
    while (received < log.end()) {
      links.next();
      assertTrue(links.now() < Duration.ofMinutes(10).toNanos(), received + " of " + log.end() + " after ten minutes");
    }
  }

  @ParameterizedTest(name = "{0} ms, {1} kbit/s, {2} updates of {3} bytes, round trip known: {4}")
  @CsvSource({
    "0, 0, 300, 500, false", "1, 0, 5000, 500, true", "100, 0, 5000, 500, true", "100, 0, 5000, 500, false", "200, 10000, 2000, 500, true",
    "20, 2000, 100, 20000, true", "20, 500, 20, 100000, true", "300, 500, 20, 100000, true", "20, 500, 20, 100000, false"
  })
  void whatALostConnectionTookIsSentOnce(long delayMs, long kbits, int count, int bytes, boolean known) {
    link(delayMs, kbits, bytes);
    roundTrip = known ? Duration.ofMillis(2 * delayMs).toNanos() : 0;
    for (int i = 0; i < count; i++) {
      add();
    }
    run();
    double missing = log.after(0, Integer.MAX_VALUE).stream().mapToLong(StateUpdate::bytes).sum();
    double bandwidthMs = kbits == 0 ? 0 : missing * 8 / kbits;
    double tookMs = links.now() / 1e6;
    String figures = resent + " bytes sent of " + missing + " in " + tookMs + " ms, with " + bandwidthMs + " ms of bandwidth";

    // Before a round trip is known, the first window may be repeated.
    assertTrue(resent <= 1.2 * missing + (known ? 0 : 3 * (64 << 10)), figures);
    // Seven windows, each twice as large as the one before, and the first heartbeat.
    assertTrue(tookMs <= bandwidthMs / 0.8 + 9 * 2 * delayMs + 120, figures);
  }

  @Test
  void newUpdatesArriveMeanwhile() {
    link(100, 0, 500);
    roundTrip = Duration.ofMillis(200).toNanos();
    for (int i = 0; i < 1_000; i++) {
      add();
    }
    write(1_000_000, Duration.ofSeconds(3).toNanos());
    run();
    assertEquals(log.end(), received);
    double all = log.after(0, Integer.MAX_VALUE).stream().mapToLong(StateUpdate::bytes).sum();
    assertTrue(resent + direct <= 1.2 * all, resent + " and " + direct + " bytes sent of " + all);
  }

  @Test
  void theConnectionBreaksAgainAndAgain() {
    link(50, 2_000, 5_000);
    roundTrip = Duration.ofMillis(100).toNanos();
    for (int i = 0; i < 200; i++) {
      add();
    }
    for (int second = 1; second < 6; second++) {
      links.after(Duration.ofMillis(900L * second).toNanos(), () -> {
        there.breakConnection();
        back.breakConnection();
      });
    }
    run();
    assertTrue(links.now() < Duration.ofSeconds(15).toNanos(), links.now() + " ns");
  }

  /** A link that was cut for long is no long link. */
  @Test
  void whatIsLostAfterALongCutIsRepeatedSoon() {
    link(10, 20_000, 500);
    for (int i = 0; i < 5_000; i++) {
      add();
    }
    for (int ms = 25; ms < 30_000; ms += 5) {
      links.after(ms * 1_000_000L, () -> there.breakConnection());
    }
    for (int ms = 30_000; ms < 31_000; ms += 150) {
      links.after(ms * 1_000_000L, () -> there.breakConnection());
    }
    run();
    assertTrue(links.now() < Duration.ofSeconds(35).toNanos(), links.now() + " ns");
  }

  /** What does not fit is dropped each time, so the window follows the room. */
  @Test
  void anOutboxWithoutRoomDropsTheRest() {
    link(50, 0, 500);
    roundTrip = Duration.ofMillis(100).toNanos();
    room = 8_000;
    for (int i = 0; i < 300; i++) {
      add();
    }
    run();
    assertTrue(links.now() < Duration.ofSeconds(20).toNanos(), links.now() + " ns");
  }

  /** Another life of the replica holds less than the one before has acknowledged. */
  @Test
  void whoeverHoldsLessThanBeforeGetsTheRest() {
    link(10, 0, 500);
    for (int i = 0; i < 10; i++) {
      add();
    }
    run();
    add();
    received = 4;
    run();
    assertEquals(11, received);
  }
}
