package org.understudy.durability.proxy;

import java.lang.reflect.Proxy;
import org.understudy.replication.api.IncrementalState;
import org.understudy.replication.api.ResourceHome;

/** A container with one replica: holds a whole state and updates, and restores the state when an operation was undone. */
final class HomeStub {
  private IncrementalState state;
  private byte[] whole;
  private final java.util.List<byte[]> updates = new java.util.ArrayList<>();
  private boolean discarded;

  /** A home whose only method is to discard. */
  ResourceHome<?> home() {
    return (ResourceHome<?>) Proxy.newProxyInstance(
        HomeStub.class.getClassLoader(), new Class<?>[] {ResourceHome.class}, (proxy, method, arguments) -> {
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

  /** Ends an operation: keeps its update, or restores the state. Returns the update. */
  byte[] end() {
    if (discarded) {
      discarded = false;
      restore(state);
      return new byte[0];
    }
    byte[] update = state.captureUpdate();
    if (update.length > 0) {
      updates.add(update);
    }
    return update;
  }

  boolean isDiscarded() {
    return discarded;
  }

  /** Brings another replica's object to this state. */
  void restore(IncrementalState replica) {
    replica.restoreState(whole);
    updates.forEach(replica::applyUpdate);
  }
}
