package org.understudy.durability.compiler;

import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import org.understudy.replication.api.IncrementalState;
import org.understudy.replication.api.ResourceHome;

/** A container of one service: takes its updates, commits its database part, and undoes what an operation has discarded. */
final class Replica {
  private final TestDatabase database;
  private final List<byte[]> updates = new ArrayList<>();
  private IncrementalState state;
  private byte[] whole;
  private boolean discarded;

  Replica(TestDatabase database) {
    this.database = database;
  }

  ResourceHome<?> home() {
    return (ResourceHome<?>) Proxy.newProxyInstance(
        Replica.class.getClassLoader(), new Class<?>[] {ResourceHome.class}, (proxy, method, arguments) -> {
          if (!method.getName().equals("discardChanges")) {
            throw new UnsupportedOperationException(method.getName());
          }
          discarded = true;
          return null;
        });
  }

  void begin(IncrementalState service) {
    state = service;
    whole = service.captureState();
  }

  /** Ends an operation. Returns whether its changes remain. */
  boolean end() {
    if (discarded) {
      discarded = false;
      database.end(false);
      restore(state);
      return false;
    }
    database.end(true);
    byte[] update = state.captureUpdate();
    if (update == null) {
      whole = state.captureState();
      updates.clear();
    } else if (update.length > 0) {
      updates.add(update);
    }
    return true;
  }

  /** The bytes of all updates. */
  int bytes() {
    return updates.stream().mapToInt(each -> each.length).sum();
  }

  /** Brings another replica's service to this state. */
  void restore(IncrementalState replica) {
    replica.restoreState(whole);
    updates.forEach(replica::applyUpdate);
  }
}
