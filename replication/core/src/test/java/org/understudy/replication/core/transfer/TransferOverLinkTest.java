package org.understudy.replication.core.transfer;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.core.Effects;
import org.understudy.replication.core.HandledEffects;
import org.understudy.replication.core.Message;
import org.understudy.replication.core.ReadConfirmation;
import org.understudy.replication.core.ReplicaSetup;
import org.understudy.replication.core.Rule;
import org.understudy.replication.core.Timing;
import org.understudy.replication.core.VirtualLinks;
import org.understudy.replication.core.limit.Limits;
import org.understudy.replication.core.record.Recovered;
import org.understudy.replication.core.store.Holdings;
import org.understudy.replication.core.store.Item;
import org.understudy.replication.core.store.StateItems;
import org.understudy.replication.core.transfer.TransferMessage.HoldingsQuery;
import org.understudy.replication.core.transfer.TransferMessage.HoldingsReply;
import org.understudy.replication.core.transfer.TransferMessage.Join;
import org.understudy.replication.core.transfer.TransferMessage.Snapshot;
import org.understudy.replication.core.transfer.TransferMessage.SnapshotAck;
import org.understudy.replication.core.update.StateUpdate;
import org.understudy.replication.core.wire.WireVersions;

/** State transfers over links of every length and width, in virtual time. */
class TransferOverLinkTest {
  private static final ReplicaId DONOR = new ReplicaId(1);
  private static final ReplicaId JOINER = new ReplicaId(2);
  private static final long HEARTBEAT = Duration.ofMillis(50).toNanos();
  private static final long EPOCH = 3;
  private static final long INCARNATION = 7;
  private static final int HEADER_BYTES = 80;

  private final VirtualLinks links = new VirtualLinks();
  /** A donor with this state, and a joiner without. */
  private final class Transfer {
    private final Map<String, byte[]> state;
    private final VirtualLinks.Direction toJoiner;
    private final VirtualLinks.Direction toDonor;
    private final JoinerTransfers donor;
    private final JoiningState joining = new JoiningState();
    private final Map<String, byte[]> arrived = new TreeMap<>();
    private final List<String> lines = new ArrayList<>();
    private long mostHeartbeatWait;
    private long completeAt;

    private Transfer(Map<String, byte[]> state, VirtualLinks.Direction toJoiner, VirtualLinks.Direction toDonor) {
      this.state = state;
      this.toJoiner = toJoiner;
      this.toDonor = toDonor;
      ReplicaSetup setup =
          new ReplicaSetup(
              DONOR, List.of(DONOR, JOINER), Recovered.NOTHING, 5, Timing.of(Duration.ofNanos(HEARTBEAT), Duration.ofSeconds(1)),
              Limits.DEFAULTS, ReadConfirmation.LEASE, Rule.ALL);
      donor = new JoinerTransfers(setup, new UpdateLog(), new Source(state));
    }

    private long bytes() {
      return state.entrySet().stream().mapToLong(some -> new Item.Resource(some.getKey(), 1, some.getValue()).encodedBytes()).sum();
    }

    /** Until the joiner has the state. */
    private void run() {
      beat();
      while (!joining.has(EPOCH)) {
        links.next();
        assertTrue(links.now() < Duration.ofMinutes(10).toNanos(), "no end after ten minutes");
      }
      completeAt = links.now();
      assertTrue(joining.bytes() >= bytes(), joining.bytes() + " bytes have arrived of " + bytes());
      assertEquals(state.keySet(), arrived.keySet());
      state.forEach((id, value) -> assertArrayEquals(value, arrived.get(id), id));
    }

    private void beat() {
      toDonor.send(HEADER_BYTES, () -> donor.join(links.now(), JOINER, new Join(0, INCARNATION, true), EPOCH, sending()));
      long sent = links.now();
      toJoiner.send(HEADER_BYTES, () -> mostHeartbeatWait = Math.max(mostHeartbeatWait, links.now() - sent - toJoiner.delay()));
      links.after(HEARTBEAT, this::beat);
    }

    private Effects sending() {
      return HandledEffects.by((name, arguments) -> {
        if (name.equals("inform")) {
          lines.add(arguments[0].toString());
          return;
        }
        assertEquals("send", name);
        Message message = (Message) arguments[1];
        toJoiner.send(HEADER_BYTES + message.encodedBytes(), () -> onMessage(message));
      });
    }

    private void onMessage(Message message) {
      if (message instanceof HoldingsQuery query) {
        HoldingsReply reply = new HoldingsReply(query.epoch(), INCARNATION, Holdings.NOTHING);
        toDonor.send(HEADER_BYTES, () -> donor.start(links.now(), JOINER, reply, sending()));
      } else if (message instanceof Snapshot part) {
        Snapshot next = joining.take(links.now(), part);
        if (next != null) {
          next.items().forEach(item -> {
            if (item instanceof Item.Resource resource) {
              arrived.put(resource.id(), resource.state());
            }
          });
        }
        if (joining.taken(part)) {
          SnapshotAck ack = new SnapshotAck(EPOCH, INCARNATION, part.part());
          toDonor.send(HEADER_BYTES, () -> donor.acknowledged(links.now(), JOINER, ack, sending()));
        }
      }
    }
  }

  private record Source(Map<String, byte[]> state) implements TransferSource {
    @Override
    public long index() {
      return 0;
    }

    @Override
    public StateItems items(Holdings held) {
      List<Item> items = new ArrayList<>();
      state.forEach((id, value) -> items.add(new Item.Resource(id, 1, 1, value)));
      return JoinerTransferTest.source(items);
    }

    @Override
    public boolean reliesOn(Holdings held) {
      return false;
    }

    @Override
    public List<ReplicaId> audience() {
      return List.of();
    }

    @Override
    public boolean isNaive() {
      return false;
    }

    @Override
    public int wire() {
      return WireVersions.CURRENT.newest();
    }

    @Override
    public Message message(StateUpdate update) {
      throw new AssertionError("No update was made.");
    }
  }

  private static Map<String, byte[]> resources(int count, int bytes) {
    Map<String, byte[]> state = new TreeMap<>();
    for (int i = 0; i < count; i++) {
      byte[] value = new byte[bytes];
      for (int j = 0; j < bytes; j++) {
        value[j] = (byte) (31 * i + j / 7);
      }
      state.put("resource " + i, value);
    }
    return state;
  }

  /**
   * On each link the joiner gets little more than the state, in the time that the link needs for that and some round trips, and a
   * heartbeat waits for two parts at most.
   */
  @ParameterizedTest
  @CsvSource({
      // delay of one way in ms, kbit/s (0: no limit), resources, bytes of each
      "0, 0, 20, 50000", "100, 0, 20, 50000", "200, 0, 20, 50000", "400, 0, 20, 50000", "0, 2000, 20, 50000", "0, 500, 20, 50000",
      "0, 6000, 1, 1000000", "100, 2000, 20, 50000", "200, 500, 20, 50000", "300, 6000, 1, 1000000", "1, 1000000, 40, 500000",
      "20, 100000, 40, 500000", "0, 128, 20, 5000", "0, 500, 3000, 300"
  })
  void aTransferNeedsWhatTheLinkNeeds(int delayMs, int kbits, int count, int bytes) {
    VirtualLinks.Direction toJoiner = links.direction(delayMs, kbits);
    Transfer transfer = new Transfer(resources(count, bytes), toJoiner, links.direction(delayMs, kbits));
    transfer.run();
    double bandwidthMs = kbits == 0 ? 0 : transfer.bytes() * 8.0 / kbits;
    // Twelve round trips for the first windows, each half as large again, with the question before them.
    double limitMs = bandwidthMs / 0.9 + 12 * (2 * delayMs + 1) + 200;
    double tookMs = transfer.completeAt / 1e6;
    String figures = tookMs + " ms of " + limitMs + ", " + toJoiner.bytes() + " bytes, heartbeats late by "
        + transfer.mostHeartbeatWait / 1_000_000 + " ms";

    assertTrue(tookMs <= limitMs, figures);
    assertTrue(toJoiner.bytes() <= 1.2 * transfer.bytes() + HEADER_BYTES * (tookMs / 50 + 10) * 2, figures);
    double partMs = kbits == 0 ? 0 : (8_192 + 300) * 8.0 / kbits;
    assertTrue(transfer.mostHeartbeatWait / 1e6 <= 3.2 * partMs + 320, figures);
  }

  /** A connection breaks again and again: what was on it is sent again, and the transfer goes on where it was. */
  @Test
  void aTransferGoesOnAfterALostConnection() {
    VirtualLinks.Direction toJoiner = links.direction(50, 2_000);
    VirtualLinks.Direction toDonor = links.direction(50, 2_000);
    Transfer transfer = new Transfer(resources(20, 50_000), toJoiner, toDonor);
    for (int second = 1; second < 10; second++) {
      links.after(Duration.ofMillis(900L * second).toNanos(), () -> {
        toJoiner.breakConnection();
        toDonor.breakConnection();
      });
    }
    transfer.run();
    assertTrue(toJoiner.bytes() <= 1.4 * transfer.bytes(), toJoiner.bytes() + " bytes");
    assertTrue(transfer.completeAt < Duration.ofSeconds(12).toNanos(), transfer.completeAt + " ns");
  }

  @Test
  void aSlowTransferIsReported() {
    Transfer transfer = new Transfer(resources(20, 50_000), links.direction(0, 500), links.direction(0, 500));
    transfer.run();
    assertEquals(2, transfer.lines.size(), transfer.lines.toString());
    assertTrue(
        transfer.lines.get(1).matches("Replica 2 receives the state of this one: [0-9]{6} bytes in 13 s, [56][0-9] KiB/s; it goes on\\."),
        transfer.lines.get(1));
  }

  /** Another incarnation of the joiner begins anew. */
  @Test
  void theWholeStateOfAnotherIncarnationIsSent() {
    Transfer transfer = new Transfer(resources(2, 5_000), links.direction(1, 0), links.direction(1, 0));
    transfer.run();
    List<Message> sent = new ArrayList<>();
    Effects recorded = HandledEffects.by((name, arguments) -> sent.add((Message) arguments[1]));
    transfer.donor.join(links.now(), JOINER, new Join(0, INCARNATION + 1, true), EPOCH, recorded);
    assertEquals(HoldingsQuery.KIND, sent.get(0).kind());
    transfer.donor.start(links.now(), JOINER, new HoldingsReply(EPOCH, INCARNATION + 1, Holdings.NOTHING), recorded);
    assertNotNull(sent.get(1));
    assertEquals(0, ((Snapshot) sent.get(1)).part());
  }
}
