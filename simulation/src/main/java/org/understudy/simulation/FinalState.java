package org.understudy.simulation;

import java.util.HashMap;
import java.util.Map;
import org.understudy.replication.api.StateCapture;
import org.understudy.replication.runtime.state.AppliedState;
import org.understudy.wsrf.resource.ResourceTransaction;
import org.understudy.wsrf.resource.Resources;

/** The state that a run has left, with the incremental states of resources restored as a replica restores them. */
record FinalState(Map<String, byte[]> image) implements AppliedState {
  /** Returns the state with the whole state of each resource under its id. */
  Map<String, byte[]> plain() {
    Resources resources = new Resources(this, true, Counter::new, "http://nowhere/services/Counter", 1);
    resources.storeUpdates();
    Map<String, byte[]> plain = new HashMap<>(image);
    for (String id : image.keySet()) {
      if (id.indexOf('/') < 0) {
        ResourceTransaction read = resources.transaction(id, true);
        read.request(() -> {});
        StateCapture restored = read.object();
        read.release();
        plain.put(id, restored.captureState());
      }
    }
    return plain;
  }

  @Override
  public byte[] state(String resource) {
    return image.get(resource);
  }

  @Override
  public long stateVersion(String resource) {
    return 1;
  }

  @Override
  public long version(String resource) {
    return 1;
  }
}
