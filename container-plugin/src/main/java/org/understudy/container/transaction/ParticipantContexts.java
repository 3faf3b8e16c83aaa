package org.understudy.container.transaction;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.understudy.replication.core.limit.KeyKind;
import org.understudy.replication.core.update.StateChange;

/**
 * The registrations of all replicas in foreign coordinators' transactions, as part of the group's state (Zhang 2006, IV.C: startTA sends
 * the context to the backups). Thread-safe.
 */
final class ParticipantContexts extends TransactionState {
  static final String PREFIX = "participant/";
  /** In the place of a protocol. */
  private static final int READ_ONLY = -1;
  private static final long READ_ONLY_NANOS = TimeUnit.MINUTES.toNanos(1);

  private final Coordinations coordinations;
  private final Map<String, Arrival> contexts = new ConcurrentHashMap<>();

  /**
   * A registration that has arrived here.
   *
   * @param time in {@link System#nanoTime()}
   * @param readOnly whether the group's part has ended, because it had changed nothing
   */
  private record Arrival(long time, boolean readOnly) {}

  /** @param coordinations whose protocols are told, under the replica's lock */
  ParticipantContexts(Coordinations coordinations) {
    super(PREFIX);
    this.coordinations = coordinations;
  }

  static KeyKind kind() {
    return KeyKind.common(PREFIX);
  }

  static StateChange added(String id, int protocol, byte[] registration) {
    return new StateChange(
        PREFIX + id, ByteBuffer.allocate(Integer.BYTES + registration.length).putInt(protocol).put(registration).array());
  }

  /** For a part that has ended because it had changed nothing: every replica votes so. */
  static StateChange readOnly(String id) {
    return new StateChange(PREFIX + id, ByteBuffer.allocate(Integer.BYTES).putInt(READ_ONLY).array());
  }

  static StateChange removed(String id) {
    return new StateChange(PREFIX + id, null);
  }

  boolean contains(String id) {
    return contexts.containsKey(id);
  }

  /** Whether the group's part has ended, because it had changed nothing. */
  boolean isReadOnly(String id) {
    Arrival arrival = contexts.get(id);
    return arrival != null && arrival.readOnly();
  }

  int size() {
    return contexts.size();
  }

  /** The transactions whose contexts have been here for this long, and those that ended a while ago without changes. */
  List<String> olderThan(long nanos) {
    long now = System.nanoTime();
    return contexts.entrySet().stream()
        .filter(one -> now - one.getValue().time() > (one.getValue().readOnly() ? READ_ONLY_NANOS : nanos))
        .map(Map.Entry::getKey)
        .toList();
  }

  @Override
  void changed(String id, byte[] state) {
    if (state == null || state.length < Integer.BYTES) {
      contexts.remove(id);
      coordinations.ended(id);
      return;
    }
    int protocol = ByteBuffer.wrap(state).getInt();
    contexts.put(id, new Arrival(System.nanoTime(), protocol == READ_ONLY));
    if (protocol != READ_ONLY) {
      coordinations.registered(protocol, id, Arrays.copyOfRange(state, Integer.BYTES, state.length));
    }
  }

  @Override
  public void onReset() {
    contexts.keySet().forEach(coordinations::ended);
    contexts.clear();
  }
}
