package org.understudy.replication.core.transfer;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.core.Effects;
import org.understudy.replication.core.ReplicaSetup;
import org.understudy.replication.core.Rule;
import org.understudy.replication.core.store.Holdings;
import org.understudy.replication.core.store.StateItems;
import org.understudy.replication.core.transfer.TransferMessage.HoldingsQuery;
import org.understudy.replication.core.transfer.TransferMessage.HoldingsReply;
import org.understudy.replication.core.transfer.TransferMessage.Join;
import org.understudy.replication.core.transfer.TransferMessage.Snapshot;
import org.understudy.replication.core.transfer.TransferMessage.SnapshotAck;
import org.understudy.replication.core.update.StateUpdate;
import org.understudy.replication.core.wire.WireVersions;

/** The state transfers from this replica to joiners, and which joiners have nearly caught up. */
public final class JoinerTransfers {
  /** Heartbeat intervals for which a joiner that was late is to follow promptly. */
  private static final int PROMPT_HEARTBEATS = 6;
  /** Suspicion times after which a joiner that is still late is invited all the same. */
  private static final int LATE_SUSPICIONS = 4;
  /** The same for a joiner that is later than a ballot waits; longer than clients {@link Pace wait} for it. */
  private static final int LATEST_SUSPICIONS = 24;
  /** Small, because a heartbeat waits for the parts that are on their way: two of these take 260 ms at 500 kbit/s. */
  private static final int PART_BYTES = 8 << 10;

  private final ReplicaSetup setup;
  private final TransferSource source;
  private final UpdateLog log;
  private final Map<ReplicaId, JoinerTransfer> byJoiner = new TreeMap<>();
  private final Map<ReplicaId, HoldingsInquiry> inquiries = new TreeMap<>();

  public JoinerTransfers(ReplicaSetup setup, UpdateLog log, TransferSource source) {
    this.setup = setup;
    this.log = log;
    this.source = source;
  }

  public void clear() {
    byJoiner.values().forEach(JoinerTransfer::close);
    byJoiner.clear();
    inquiries.clear();
  }

  public boolean isEmpty() {
    return byJoiner.isEmpty();
  }

  /** Asks the joiner what it holds, or starts a transfer to it, or repeats the parts that were lost. */
  public void join(long now, ReplicaId joiner, Join join, long epoch, Effects out) {
    JoinerTransfer running = byJoiner.get(joiner);
    if (goesOn(now, running, join.incarnation())) {
      running.repeatLost(now);
      sendParts(now, joiner, running, epoch, out);
    } else if (source.wire() >= WireVersions.HOLDINGS && !source.isNaive()) {
      HoldingsInquiry inquiry = inquiries.get(joiner);
      if (inquiry == null || inquiry.incarnation() != join.incarnation()) {
        inquiry = new HoldingsInquiry(join.incarnation(), now, 2 * setup.timing().heartbeatNanos());
        inquiries.put(joiner, inquiry);
      }
      if (inquiry.isDue(now)) {
        inquiry.sent(now);
        out.send(joiner, new HoldingsQuery(epoch, join.incarnation(), source.index()));
      }
    } else {
      start(now, joiner, join.incarnation(), Holdings.NOTHING, epoch, out);
    }
  }

  /** Starts a transfer of what this joiner lacks, unless one runs. */
  public void start(long now, ReplicaId joiner, HoldingsReply reply, Effects out) {
    if (!goesOn(now, byJoiner.get(joiner), reply.incarnation())) {
      Holdings held = source.reliesOn(reply.holdings()) ? reply.holdings() : Holdings.NOTHING;
      start(now, joiner, reply.incarnation(), held, reply.epoch(), out);
    }
  }

  private boolean goesOn(long now, JoinerTransfer running, long incarnation) {
    return running != null && running.incarnation == incarnation && !running.isStuck(now, setup.timing().suspectNanos());
  }

  private void start(long now, ReplicaId joiner, long incarnation, Holdings held, long epoch, Effects out) {
    JoinerTransfer before = byJoiner.remove(joiner);
    if (before != null) {
      before.close();
    }
    long index = source.index();
    List<StateUpdate> tail = index > log.stable() ? log.after(log.stable(), Integer.MAX_VALUE) : List.of();
    StateItems items = new ItemsWithTail(source.items(held), tail);
    int partBytes = Math.min(PART_BYTES, setup.limits().chunkBytes());
    if (source.wire() >= WireVersions.SLICES) {
      items = new SlicedItems(items, partBytes);
    }
    TransferWindow window = new TransferWindow(partBytes, setup.timing().heartbeatNanos(), setup.timing().suspectNanos());
    HoldingsInquiry inquiry = inquiries.remove(joiner);
    if (inquiry != null) {
      window.estimated(inquiry.roundTrip(now));
    }
    TransferProgress progress = new TransferProgress("Replica " + joiner + " receives the state of this one", now);
    JoinerTransfer transfer = new JoinerTransfer(now, incarnation, index, held.number(), items, partBytes, window, progress);
    byJoiner.put(joiner, transfer);
    sendParts(now, joiner, transfer, epoch, out);
  }

  /**
   * Called when the joiner has a part: sends the next ones.
   *
   * @return the update as of which the joiner has the whole state now, and is to get those since; -1 if it lacks parts, or had none
   */
  public long acknowledged(long now, ReplicaId joiner, SnapshotAck ack, Effects out) {
    JoinerTransfer transfer = byJoiner.get(joiner);
    if (transfer == null || transfer.incarnation != ack.incarnation() || !transfer.acknowledge(now, ack.part(), log.end())) {
      return -1;
    }
    if (transfer.streaming()) {
      return transfer.index;
    }
    transfer.progress.at(now, transfer.acknowledgedBytes(), out);
    sendParts(now, joiner, transfer, ack.epoch(), out);
    return -1;
  }

  private void sendParts(long now, ReplicaId joiner, JoinerTransfer transfer, long epoch, Effects out) {
    for (Snapshot part = transfer.next(now, epoch, source.wire()); part != null; part = transfer.next(now, epoch, source.wire())) {
      out.send(joiner, part);
      for (ReplicaId other : source.audience()) {
        out.send(other, part);
      }
    }
  }

  /** Whether parts of the state are on their way to a joiner that takes them. */
  public boolean isSendingParts(long now) {
    for (JoinerTransfer transfer : byJoiner.values()) {
      if (!transfer.streaming() && now - transfer.activeAt() < setup.timing().suspectNanos()) {
        return true;
      }
    }
    return false;
  }

  /** The joiners that have the state, and get each update since; mostly none. */
  public List<ReplicaId> streaming() {
    if (byJoiner.isEmpty()) {
      return List.of();
    }
    List<ReplicaId> streaming = new ArrayList<>();
    byJoiner.forEach((joiner, transfer) -> {
      if (transfer.streaming()) {
        streaming.add(joiner);
      }
    });
    return streaming;
  }

  /**
   * Records that the joiner has all updates up to this one.
   *
   * @param gap whether it lacks one that has been sent: until it has that, its promise would show too little
   * @return false when it is not a joiner that has the state
   */
  public boolean received(long now, ReplicaId joiner, long index, boolean gap) {
    JoinerTransfer transfer = byJoiner.get(joiner);
    if (transfer == null || !transfer.streaming()) {
      return false;
    }
    transfer.received(now, index);
    if (gap) {
      transfer.late(now);
    }
    transfer.measure(now, log.end(), promptNanos(joiner));
    return true;
  }

  /** The index up to which updates are stable and no joiner needs them. */
  public long unneeded() {
    long unneeded = log.stable();
    for (JoinerTransfer transfer : byJoiner.values()) {
      unneeded = Math.min(unneeded, transfer.streaming() ? transfer.received() : transfer.index);
    }
    return unneeded;
  }

  /** The joiners that have nearly caught up. Called at each tick. */
  public List<ReplicaId> ready(long now) {
    return ready(now, 0);
  }

  /**
   * The joiners that have nearly caught up and have all updates up to this one. A joiner that acknowledges late, such as a young JVM
   * under load, is not among them for some time: as a member it would delay every update. Called at each tick.
   */
  public List<ReplicaId> ready(long now, long needed) {
    List<ReplicaId> ready = new ArrayList<>();
    byJoiner.forEach((joiner, transfer) -> {
      if (transfer.streaming()) {
        transfer.measure(now, log.end(), promptNanos(joiner));
      }
      long round = setup.enforces(Rule.JOINER_MAY_LACK_WHAT_IS_ON_ITS_WAY) ? roundNanos() : 0;
      if (transfer.isNear(now, log.end(), round) && transfer.received() >= needed && isInvited(now, transfer)) {
        ready.add(joiner);
      }
    });
    return ready;
  }

  /**
   * The last update that clients may be shown now, so that a joiner catches up that has had the state for long; mostly {@link
   * Long#MAX_VALUE}. For a bounded time, and for none that would not be invited.
   */
  public long paced(long now) {
    long last = Long.MAX_VALUE;
    if (!byJoiner.isEmpty() && setup.enforces(Rule.CLIENTS_WAIT_FOR_JOINER)) {
      long suspect = setup.timing().suspectNanos();
      for (Map.Entry<ReplicaId, JoinerTransfer> one : byJoiner.entrySet()) {
        if (source.mayInvite(now, one.getKey())) {
          last = Math.min(last, one.getValue().paced(now, log.end(), LATE_SUSPICIONS * suspect, roundNanos(), suspect));
        }
      }
    }
    return last;
  }

  /** A joiner that acknowledges later than a ballot waits is mostly left out by it, and all for nothing. */
  private boolean isInvited(long now, JoinerTransfer transfer) {
    long suspicions = (now - transfer.streamingSince()) / setup.timing().suspectNanos();
    boolean waited =
        setup.enforces(Rule.LATE_JOINER_INVITED_AT_LAST)
            && suspicions >= (transfer.isInTime(now, log.end(), roundNanos()) ? LATE_SUSPICIONS : LATEST_SUSPICIONS);
    return waited || transfer.isPrompt(now, PROMPT_HEARTBEATS * setup.timing().heartbeatNanos());
  }

  /** A group that places many updates in a round trip always has many on their way to a joiner. A member must be faster than that. */
  private long roundNanos() {
    return setup.timing().suspectNanos() / 2;
  }

  /** A joiner behind a long link is as prompt as that link permits. */
  private long promptNanos(ReplicaId joiner) {
    return setup.timing().heartbeatNanos() / 2 + source.roundTrip(joiner);
  }
}
