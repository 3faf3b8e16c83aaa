package org.understudy.container.broker;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.understudy.container.xml.Elements;
import org.understudy.notification.fault.NotificationFault;
import org.understudy.replication.core.StateChange;
import org.understudy.replication.runtime.StateListener;

/** The registrations of the group, as the replicated state has them, on every replica. Thread-safe. */
final class Registrations implements StateListener {
  private static final Logger LOG = LoggerFactory.getLogger(Registrations.class);

  private final ConcurrentHashMap<String, Registration> table = new ConcurrentHashMap<>();

  @Override
  public void applied(List<StateChange> changes) {
    for (StateChange change : changes) {
      note(change.resource(), change.state());
    }
  }

  @Override
  public void replaced(Map<String, byte[]> state) {
    table.clear();
    state.forEach(this::note);
  }

  @Override
  public void stable(long index) {
    // Nobody is told of a registration here.
  }

  private void note(String key, byte[] state) {
    if (!key.startsWith(Registration.KEYS)) {
      return;
    }
    String id = key.substring(Registration.KEYS.length());
    if (state == null) {
      table.remove(id);
      return;
    }
    try {
      table.put(id, Registration.of(Elements.read(new String(state, StandardCharsets.UTF_8))));
    } catch (NotificationFault | IllegalArgumentException e) {
      LOG.error("The registration {} cannot be read; its publisher is not known at this replica.", id, e);
    }
  }

  /** By id. */
  Map<String, Registration> all() {
    return table;
  }

  /** Whether a publisher at this address is registered. */
  boolean hasPublisher(String address) {
    return table.values().stream()
        .anyMatch(one -> one.publisher() != null && one.publisher().address().toString().equals(address));
  }
}
