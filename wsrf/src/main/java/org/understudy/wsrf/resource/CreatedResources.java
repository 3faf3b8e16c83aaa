package org.understudy.wsrf.resource;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.understudy.replication.api.StateCapture;
import org.understudy.replication.core.update.StateChange;

/** The resources that one transaction creates. They are locked from their capture until its end. Not thread-safe. */
final class CreatedResources {
  private final Resources home;
  private final Map<String, StateCapture> objects = new LinkedHashMap<>();
  private List<Locked> locked = List.of();

  /** A new resource, locked by the transaction. */
  private record Locked(String id, LiveResource resource, ResourceLock.Claim claim) {}

  CreatedResources(Resources home) {
    this.home = home;
  }

  void add(String id, StateCapture object) {
    objects.put(id, object);
  }

  /** Adds the states to an update, if objects are captured, and makes the resources known. */
  void capture(boolean states, List<StateChange> changes) {
    objects.forEach((id, made) -> adopt(id, made, states ? home.capture(id, made, null, changes) : null));
  }

  private void adopt(String id, StateCapture made, StoredState.Position position) {
    LiveResource added = new LiveResource();
    ResourceLock.Claim exclusive = added.lock.claim(false, () -> {});
    exclusive.request();
    locked = locked.isEmpty() ? new ArrayList<>() : locked;
    locked.add(new Locked(id, added, exclusive));
    home.adopt(id, added, made, position);
  }

  void release() {
    locked.forEach(made -> home.release(made.id(), made.resource(), made.claim()));
  }

  void rollBack() {
    locked.forEach(made -> home.removeCreated(made.resource()));
    objects.clear();
  }
}
