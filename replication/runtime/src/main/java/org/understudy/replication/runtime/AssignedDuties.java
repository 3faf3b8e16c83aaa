package org.understudy.replication.runtime;

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

/** Duties by the present standing of a replica; listeners hear of the standings one after another. */
final class AssignedDuties implements Duties {
  private static final Logger LOG = LoggerFactory.getLogger(AssignedDuties.class);

  private final ReplicaId self;
  private final Supplier<Standing> standing;
  /** Both are guarded by this: a listener that comes later hears of the same order. */
  private final Map<Duty, List<DutyListener>> listeners = new EnumMap<>(Duty.class);
  /** The epoch in which the beginning of each duty was last notified; no entry while another replica has it. */
  private final Map<Duty, Long> begun = new EnumMap<>(Duty.class);

  AssignedDuties(ReplicaId self, Supplier<Standing> standing) {
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

  /** The replica has this standing, as all are to hear next. */
  synchronized void changed(Standing now) {
    for (Duty duty : Duty.values()) {
      if (has(now, duty)) {
        long epoch = now.view().epoch();
        begun.put(duty, epoch);
        tell(duty, "begin", listener -> listener.begins(epoch));
      } else if (!now.isChanging() && begun.remove(duty) != null) {
        tell(duty, "end", DutyListener::ends);
      }
    }
  }

  private void tell(Duty duty, String what, Consumer<DutyListener> news) {
    for (DutyListener listener : listeners.getOrDefault(duty, List.of())) {
      try {
        news.accept(listener);
      } catch (RuntimeException | Error e) {
        LOG.error(
            "The listener {} failed at the {} of the duty {}; the other listeners are notified.",
            listener.getClass().getName(), what,
            duty, e);
      }
    }
  }
}
