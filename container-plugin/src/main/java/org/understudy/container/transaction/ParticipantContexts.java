package org.understudy.container.transaction;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.ObjIntConsumer;
import org.understudy.replication.core.limit.KeyKind;
import org.understudy.replication.core.update.StateChange;
import org.understudy.replication.runtime.state.StateListener;

/**
 * The contexts of foreign coordinators' transactions in which the group takes part, as part of the group's state: each replica registers
 * itself at the coordinator (Zhang 2006, IV.C: startTA sends the context to the backups). Thread-safe.
 */
final class ParticipantContexts implements StateListener {
  static final String PREFIX = "participant/";

  private final ObjIntConsumer<TransactionContext> arrived;
  /** When each arrived here, in {@link System#nanoTime()}. */
  private final Map<String, Long> contexts = new ConcurrentHashMap<>();

  /** @param arrived called with each context and the number of its protocol, under the replica's lock: must not block */
  ParticipantContexts(ObjIntConsumer<TransactionContext> arrived) {
    this.arrived = arrived;
  }

  static KeyKind kind() {
    return KeyKind.common(PREFIX);
  }

  static StateChange added(TransactionContext context, int protocol) {
    byte[] bytes = context.context();
    return new StateChange(PREFIX + context.id(), ByteBuffer.allocate(4 + bytes.length).putInt(protocol).put(bytes).array());
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
    if (state == null || state.length < 4) {
      contexts.remove(id);
      return;
    }
    TransactionContext context = new TransactionContext(id, Arrays.copyOfRange(state, 4, state.length));
    if (contexts.put(id, System.nanoTime()) == null) {
      arrived.accept(context, ByteBuffer.wrap(state).getInt());
    }
  }

  @Override
  public void onReset() {
    contexts.clear();
  }
}
