package org.understudy.broker;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.understudy.notification.fault.NotificationFault;
import org.understudy.replication.runtime.state.StateListener;
import org.understudy.soap.xml.Elements;

/** The registrations in the replicated state, on every replica. Thread-safe. */
final class Registrations implements StateListener {
  private static final Logger LOG = LoggerFactory.getLogger(Registrations.class);

  private final ConcurrentHashMap<String, Registration> table = new ConcurrentHashMap<>();

  @Override
  public void onReset() {
    table.clear();
  }

  @Override
  public boolean follows(String key) {
    return key.startsWith(Registration.KEYS);
  }

  @Override
  public void onChange(String key, byte[] state) {
    if (!key.startsWith(Registration.KEYS)) {
      return;
    }
    String id = key.substring(Registration.KEYS.length());
    if (state == null) {
      table.remove(id);
      return;
    }
    try {
      table.put(id, Registration.of(Elements.read(state)));
    } catch (NotificationFault | IllegalArgumentException e) {
      LOG.error("The registration {} cannot be read. Its publisher is unknown at this replica.", id, e);
    }
  }

  /** By id. */
  Map<String, Registration> all() {
    return table;
  }

  /** Returns the registration with this key in the state; empty if it cannot be read. */
  List<Registration> at(String key) {
    Registration one = table.get(key.substring(Registration.KEYS.length()));
    return one == null ? List.of() : List.of(one);
  }

  /** Returns the registrations of the publisher at this address. */
  List<Registration> of(String address) {
    return table.values().stream()
        .filter(one -> one.publisher() != null && one.publisher().address().toString().equals(address))
        .toList();
  }
}
