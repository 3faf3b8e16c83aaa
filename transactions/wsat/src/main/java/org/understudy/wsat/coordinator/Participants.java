package org.understudy.wsat.coordinator;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;

/** The durable participants of one transaction, which are told its decision side by side. Thread-safe. */
final class Participants {
  private final List<ConcurrentEngine> all = new CopyOnWriteArrayList<>();
  private final AtomicBoolean told = new AtomicBoolean();

  void add(ConcurrentEngine engine) {
    all.add(engine);
  }

  /** Begins to tell all but this one, once: recovery tells those who have not acknowledged then. */
  void tellOthers(ConcurrentEngine first, ConcurrentEngine.Message decision) {
    if (told.compareAndSet(false, true)) {
      all.stream().filter(one -> one != first).forEach(one -> one.begin(decision));
    }
  }
}
