package org.understudy.container.transaction;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.understudy.replication.core.limit.KeyKind;
import org.understudy.replication.core.update.StateChange;
import org.understudy.replication.runtime.state.StateListener;

/**
 * The registrations of all replicas in foreign coordinators' transactions, as part of the group's state (Zhang 2006, IV.C: startTA sends
 * the context to the backups). Thread-safe.
 */
final class ParticipantContexts implements StateListener {
  static final String PREFIX = "participant/";

  private final Coordinations coordinations;
  /** When each arrived here, in {@link System#nanoTime()}. */
  private final Map<String, Long> contexts = new ConcurrentHashMap<>();

  /** @param coordinations whose protocols are told, under the replica's lock */
  ParticipantContexts(Coordinations coordinations) {
    this.coordinations = coordinations;
  }

  static KeyKind kind() {
    return KeyKind.common(PREFIX);
  }

  static StateChange added(String id, int protocol, byte[] registration) {
    return new StateChange(
        PREFIX + id, ByteBuffer.allocate(Integer.BYTES + registration.length).putInt(protocol).put(registration).array());
  }

  static StateChange removed(String id) {
    return new StateChange(PREFIX + id, null);
  }

  boolean contains(String id) {
    return contexts.containsKey(id);
  }

  int size() {
    return contexts.size();
  }

  /** The transactions whose contexts have been here for this long. */
  List<String> olderThan(long nanos) {
    long now = System.nanoTime();
    return contexts.entrySet().stream().filter(one -> now - one.getValue() > nanos).map(Map.Entry::getKey).toList();
  }

  @Override
  public boolean follows(String key) {
    return key.startsWith(PREFIX);
  }

  @Override
  public void onChange(String key, byte[] state) {
    if (!follows(key)) {
      return;
    }
    String id = key.substring(PREFIX.length());
    if (state == null || state.length < Integer.BYTES) {
      contexts.remove(id);
      coordinations.ended(id);
      return;
    }
    contexts.put(id, System.nanoTime());
    coordinations.registered(ByteBuffer.wrap(state).getInt(), id, Arrays.copyOfRange(state, Integer.BYTES, state.length));
  }

  @Override
  public void onReset() {
    contexts.keySet().forEach(coordinations::ended);
    contexts.clear();
  }
}
