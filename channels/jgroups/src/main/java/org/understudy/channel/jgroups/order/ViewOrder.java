package org.understudy.channel.jgroups.order;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.understudy.channel.batch.IncomingBatch;
import org.understudy.channel.batch.OutgoingBatches;
import org.understudy.channel.batch.Piece;
import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.core.GroupView;
import org.understudy.replication.core.Message;
import org.understudy.replication.core.channel.GroupReceiver;
import org.understudy.replication.runtime.codec.MalformedMessageException;
import org.understudy.replication.runtime.codec.MessageFormat;

/**
 * Orders messages and views. The first member of a view numbers the pieces of all members. When the transport reports another view, each
 * member sends its first one the pieces that may be missing elsewhere; that one returns to all what each group of former members is to
 * deliver before the new view. So members that install the same two views have delivered the same between them, whoever crashed.
 *
 * <p>The first member numbers no piece while a member has yet to acknowledge {@link #WINDOW} pieces. So what each member keeps for the
 * others, and what is on its way to a member that takes nothing, are bounded, whatever the group sends.
 *
 * <p>A step function without I/O: the caller passes views and messages from one thread at a time, and {@code lock} guards {@code outgoing}
 * only.
 *
 * @param <A> addresses of members
 */
public final class ViewOrder<A> {
  private static final byte SEND = 1;
  private static final byte ORDER = 2;
  private static final byte ACKNOWLEDGE = 3;
  private static final byte FLUSH = 4;
  private static final byte INSTALL = 5;

  /** Pieces that are numbered and not acknowledged by all members. A multiple of {@link #ACKNOWLEDGE_PIECES}. */
  static final int WINDOW = 64;
  /** Pieces after which a member acknowledges what it has. */
  private static final int ACKNOWLEDGE_PIECES = 16;

  private final A self;
  private final ReplicaId replica;
  private final List<ReplicaId> configured;
  private final MessageFormat format;
  private final OutgoingBatches outgoing;
  private final Object lock;
  private final Transport<A> transport;
  private final GroupReceiver receiver;

  /** The transport's newest view, and what its members reported for it. */
  private ViewKey pendingKey = ViewKey.NONE;
  private List<A> pending = List.of();
  private final Map<A, Flush> flushes = new HashMap<>();
  private final EarlyFlushes<A> early = new EarlyFlushes<>();

  /** The installed view. */
  private ViewKey installedKey = ViewKey.NONE;
  private List<A> installed = List.of();
  private List<ReplicaId> replicas = List.of();
  private final Map<Integer, IncomingBatch> batches = new HashMap<>();
  private long place;
  /** The pieces that another member may lack, in order. */
  private final Deque<Ordered> kept = new ArrayDeque<>();
  private long views;

  private final LastBatches<A> delivered = new LastBatches<>();

  /** At the first member: the next numbers of its members' pieces, and what they acknowledged. */
  private long[] numbers = new long[0];
  private long[] acknowledged = new long[0];
  /** There too: the pieces that wait for the window, without a place. At most {@link OutgoingBatches#WINDOW} of a member. */
  private final Deque<Ordered> held = new ArrayDeque<>();

  /** At the first member: messages that {@link #sendOnly} has ordered, and that are not delivered here yet. */
  private final Deque<Delivery> undelivered = new ArrayDeque<>();
  private boolean sendsOnly;

  private record Delivery(ReplicaId from, Message message) {}

  /**
   * @param self this member's address
   * @param lock guards {@code outgoing}
   */
  public ViewOrder(
      A self, ReplicaId replica, List<ReplicaId> configured, MessageFormat format, OutgoingBatches outgoing, Object lock,
      Transport<A> transport, GroupReceiver receiver) {
    this.self = self;
    this.replica = replica;
    this.configured = List.copyOf(configured);
    this.format = format;
    this.outgoing = outgoing;
    this.lock = lock;
    this.transport = transport;
    this.receiver = receiver;
  }

  /** The transport reports a view. Views that this member sees have this member in them and growing numbers. */
  public void view(ViewKey key, List<A> members) throws MalformedMessageException {
    deliverOrdered();
    pendingKey = key;
    pending = List.copyOf(members);
    flushes.clear();
    synchronized (lock) {
      outgoing.pause();
    }
    Flush own = new Flush(replica, installedKey, place, List.copyOf(kept));
    if (!pending.get(0).equals(self)) {
      ByteBuffer out = message(FLUSH, key, own.bytes());
      own.write(out);
      transport.send(pending.get(0), out.array());
      // Not those of later views, which this member is yet to see: their senders do not repeat them.
      early.forgetUpTo(key);
      return;
    }
    flushes.put(self, own);
    early.of(key).forEach((member, flush) -> {
      if (pending.contains(member)) {
        flushes.put(member, flush);
      }
    });
    early.forgetUpTo(key);
    installIfComplete();
  }

  private boolean isFirst() {
    return installed.isEmpty() || installed.get(0).equals(self);
  }

  /** Whether the other members have acknowledged so much that a short message does not wait for a slow one. */
  public boolean isFollowed() {
    return !isFirst() || place - stable() < WINDOW / 2;
  }

  /** Whether {@link #sendOnly} waits for no slow member, and does not leave too much to be delivered. */
  public boolean maySendOnly() {
    return isFollowed() && undelivered.size() < WINDOW;
  }

  /**
   * Sends what waits like {@link #send}, but does not call the receiver: what the first member orders meanwhile is delivered there by
   * the next call of another method.
   *
   * @return whether there is something to deliver
   */
  public boolean sendOnly() throws MalformedMessageException {
    sendsOnly = true;
    try {
      sendWaiting();
    } finally {
      sendsOnly = false;
    }
    return !undelivered.isEmpty();
  }

  /** Sends what waits, as far as the window permits. */
  public void send() throws MalformedMessageException {
    deliverOrdered();
    sendWaiting();
  }

  private void deliverOrdered() {
    for (Delivery next = undelivered.poll(); next != null; next = undelivered.poll()) {
      receiver.delivered(next.from(), next.message());
    }
  }

  private void sendWaiting() throws MalformedMessageException {
    while (!installed.isEmpty()) {
      Piece piece;
      synchronized (lock) {
        piece = outgoing.next();
      }
      if (piece == null) {
        return;
      }
      byte[] content = new byte[piece.content().remaining()];
      piece.content().get(content);
      if (installed.get(0).equals(self)) {
        order(installed.indexOf(self), piece.number(), piece.batch(), piece.last(), content);
      } else {
        ByteBuffer out = message(SEND, installedKey, 2 * Long.BYTES + 1 + content.length);
        out.putLong(piece.number()).putLong(piece.batch());
        transport.send(installed.get(0), out.put((byte) (piece.last() ? 1 : 0)).put(content).array());
      }
    }
  }

  /**
   * A message of another member.
   *
   * @throws MalformedMessageException when the sender is broken; this replica cannot follow the group
   */
  public void received(A from, byte[] bytes) throws MalformedMessageException {
    deliverOrdered();
    ByteBuffer in = ByteBuffer.wrap(bytes);
    try {
      byte kind = in.get();
      ViewKey view = ViewKey.read(in);
      if (kind == FLUSH) {
        flushed(view, from, Flush.read(in));
      } else if (kind == INSTALL && view.equals(pendingKey) && !view.equals(installedKey) && from.equals(pending.get(0))) {
        install(in);
      } else if (view.equals(installedKey) && view.equals(pendingKey)) {
        ordinary(kind, from, in);
      }
    } catch (IllegalArgumentException | IndexOutOfBoundsException | BufferUnderflowException e) {
      throw new MalformedMessageException("A message of " + from + " is malformed: " + e);
    }
  }

  private void ordinary(byte kind, A from, ByteBuffer in) throws MalformedMessageException {
    int index = installed.indexOf(from);
    if (kind == SEND && installed.get(0).equals(self) && index > 0) {
      long number = in.getLong();
      long batch = in.getLong();
      boolean last = in.get() == 1;
      byte[] content = new byte[in.remaining()];
      in.get(content);
      order(index, number, batch, last, content);
    } else if (kind == ORDER && index == 0) {
      long stable = in.getLong();
      Ordered next = Ordered.read(in);
      if (next.place() > place + 1) {
        // As above; the others have what is missing.
        return;
      }
      deliver(next);
      forget(stable);
      if (place % ACKNOWLEDGE_PIECES == 0) {
        transport.send(from, message(ACKNOWLEDGE, installedKey, Long.BYTES).putLong(place).array());
      }
    } else if (kind == ACKNOWLEDGE && installed.get(0).equals(self) && index > 0) {
      acknowledged[index] = Math.max(acknowledged[index], in.getLong());
      forget(stable());
      orderHeld();
    }
  }

  private void order(int sender, long number, long batch, boolean last, byte[] content) throws MalformedMessageException {
    if (number != numbers[sender] + 1) {
      // The transport lost the connection in between and will report another view, in which the sender repeats.
      return;
    }
    if (held.stream().filter(one -> one.sender() == sender).count() >= OutgoingBatches.WINDOW) {
      // A broken sender, which ignores its own window.
      return;
    }
    numbers[sender] = number;
    held.add(new Ordered(0, sender, batch, last, content));
    orderHeld();
  }

  private void orderHeld() throws MalformedMessageException {
    while (!held.isEmpty() && place - stable() < WINDOW) {
      Ordered next = held.remove().at(place + 1);
      ByteBuffer out = message(ORDER, installedKey, Long.BYTES + next.bytes()).putLong(stable());
      next.write(out);
      transport.multicast(out.array());
      deliver(next);
      if (installed.size() == 1) {
        kept.clear();
      }
    }
  }

  private long stable() {
    long least = place;
    for (int i = 1; i < acknowledged.length; i++) {
      least = Math.min(least, acknowledged[i]);
    }
    return least;
  }

  private void forget(long stable) {
    while (!kept.isEmpty() && kept.peek().place() <= stable) {
      kept.remove();
    }
  }

  private void deliver(Ordered next) throws MalformedMessageException {
    if (next.place() <= place) {
      return;
    }
    if (next.place() != place + 1 || next.sender() < 0 || next.sender() >= installed.size()) {
      throw new MalformedMessageException("Piece " + (place + 1) + " of the order is missing; piece " + next.place() + " arrived.");
    }
    place++;
    kept.add(next);
    if (installed.get(next.sender()).equals(self)) {
      synchronized (lock) {
        outgoing.arrived();
      }
    }
    IncomingBatch batch = batches.computeIfAbsent(next.sender(), any -> new IncomingBatch(format));
    List<Message> messages = batch.add(next.last(), ByteBuffer.wrap(next.content()));
    if (next.last() && !delivered.isNew(installed.get(next.sender()), next.batch())) {
      // Ordered on this side of a partition, which its sender did not see; so it sent the batch again.
      return;
    }
    for (Message message : messages) {
      if (sendsOnly) {
        undelivered.add(new Delivery(replicas.get(next.sender()), message));
      } else {
        receiver.delivered(replicas.get(next.sender()), message);
      }
    }
  }

  private void flushed(ViewKey view, A from, Flush flush) throws MalformedMessageException {
    if (view.equals(pendingKey) && !view.equals(installedKey) && pending.contains(from)) {
      flushes.put(from, flush);
      installIfComplete();
    } else if (view.number() > pendingKey.number()) {
      // It saw a view that this member has not seen yet.
      early.add(view, from, flush);
    }
  }

  /** As the first member: once every member has reported, sends all what they lack, and installs. */
  private void installIfComplete() throws MalformedMessageException {
    if (!pending.get(0).equals(self) || !flushes.keySet().containsAll(pending)) {
      return;
    }
    Map<ViewKey, Map<Long, Ordered>> missing = new LinkedHashMap<>();
    for (A member : pending) {
      Flush flush = flushes.get(member);
      Map<Long, Ordered> all = missing.computeIfAbsent(flush.installed(), any -> new LinkedHashMap<>());
      flush.kept().forEach(one -> all.putIfAbsent(one.place(), one));
    }
    int bytes = 0;
    for (Map<Long, Ordered> all : missing.values()) {
      bytes += ViewKey.BYTES + Integer.BYTES + all.values().stream().mapToInt(Ordered::bytes).sum();
    }
    ByteBuffer out = message(INSTALL, pendingKey, pending.size() * (1 + ViewKey.BYTES) + Integer.BYTES + bytes);
    for (A member : pending) {
      out.put((byte) flushes.get(member).replica().number());
      flushes.get(member).installed().write(out);
    }
    out.putInt(missing.size());
    missing.forEach((view, all) -> {
      view.write(out);
      out.putInt(all.size());
      all.values().stream().sorted((a, b) -> Long.compare(a.place(), b.place())).forEach(one -> one.write(out));
    });
    transport.multicast(out.array());
    ByteBuffer own = out.duplicate().flip();
    own.position(1 + ViewKey.BYTES);
    install(own);
  }

  private void install(ByteBuffer in) throws MalformedMessageException {
    List<ReplicaId> next = new ArrayList<>();
    Set<A> cameAlong = new LinkedHashSet<>();
    for (A member : pending) {
      next.add(new ReplicaId(in.get()));
      if (ViewKey.read(in).equals(installedKey)) {
        cameAlong.add(member);
      }
    }
    for (int views = in.getInt(); views > 0; views--) {
      boolean own = ViewKey.read(in).equals(installedKey) && !installed.isEmpty();
      for (int pieces = in.getInt(); pieces > 0; pieces--) {
        Ordered one = Ordered.read(in);
        if (own) {
          deliver(one);
        }
      }
    }
    if (installed.stream().anyMatch(member -> pending.contains(member) && !cameAlong.contains(member))) {
      // The others installed another view since, or delivered other messages, so the two views are not successive.
      List<ReplicaId> along = new ArrayList<>();
      cameAlong.stream().filter(installed::contains).forEach(member -> along.add(next.get(pending.indexOf(member))));
      report(along);
    }
    installedKey = pendingKey;
    installed = pending;
    replicas = List.copyOf(next);
    batches.clear();
    kept.clear();
    held.clear();
    place = 0;
    numbers = new long[installed.size()];
    acknowledged = new long[installed.size()];
    flushes.clear();
    synchronized (lock) {
      outgoing.begin();
    }
    report(next);
  }

  private void report(List<ReplicaId> members) {
    List<ReplicaId> known = members.stream().filter(configured::contains).distinct().toList();
    receiver.viewInstalled(new GroupView(++views, known));
  }

  private static ByteBuffer message(byte kind, ViewKey view, int bytes) {
    ByteBuffer out = ByteBuffer.allocate(1 + ViewKey.BYTES + bytes).put(kind);
    view.write(out);
    return out;
  }
}
