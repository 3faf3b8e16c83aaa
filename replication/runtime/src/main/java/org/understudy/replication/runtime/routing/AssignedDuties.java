package org.understudy.replication.runtime.routing;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.understudy.replication.api.Duty;
import org.understudy.replication.api.ReplicaId;

/** The duties that follow from a replica's current standing. Listeners are notified of standings one after another. */
public final class AssignedDuties implements Duties {
  private static final Logger LOG = LoggerFactory.getLogger(AssignedDuties.class);

  private final ReplicaId self;
  private final Supplier<Standing> standing;
  /** Both are guarded by this, so that a listener added later sees the same order. */
  private final Map<Duty, List<DutyListener>> listeners = new EnumMap<>(Duty.class);
  /** The epoch in which the beginning of each duty was last notified; no entry while another replica has the duty. */
  private final Map<Duty, Long> begun = new EnumMap<>(Duty.class);

  public AssignedDuties(ReplicaId self, Supplier<Standing> standing) {
    this.self = self;
    this.standing = standing;
  }

  @Override
  public boolean has(Duty duty) {
    return has(standing.get(), duty);
  }

  @Override
  public Set<Duty> current() {
    Standing now = standing.get();
    EnumSet<Duty> duties = EnumSet.noneOf(Duty.class);
    for (Duty duty : Duty.values()) {
      if (has(now, duty)) {
        duties.add(duty);
      }
    }
    return duties;
  }

  private boolean has(Standing now, Duty duty) {
    return now.active() && self.equals(now.assignment().holder(duty));
  }

  @Override
  public synchronized void listen(Duty duty, DutyListener listener) {
    listeners.computeIfAbsent(duty, absent -> new ArrayList<>()).add(listener);
    Long epoch = begun.get(duty);
    if (epoch != null) {
      listener.begins(epoch);
    }
  }

  /** Applies this standing, in the order of notifications. */
  public synchronized void changed(Standing now) {
    for (Duty duty : Duty.values()) {
      if (has(now, duty)) {
        long epoch = now.view().epoch();
        begun.put(duty, epoch);
        notifyListeners(duty, "begin", listener -> listener.begins(epoch));
      } else if (!now.isChanging() && begun.remove(duty) != null) {
        notifyListeners(duty, "end", DutyListener::ends);
      }
    }
  }

  private void notifyListeners(Duty duty, String what, Consumer<DutyListener> event) {
    for (DutyListener listener : listeners.getOrDefault(duty, List.of())) {
      try {
        event.accept(listener);
      } catch (RuntimeException | Error e) {
        LOG.error(
            "The listener {} failed at the {} of the duty {}; the other listeners are notified.",
            listener.getClass().getName(), what,
            duty, e);
      }
    }
  }
}
