package org.understudy.container.evolution;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.understudy.replication.api.Read;
import org.understudy.replication.api.ReplicatedState;

/** The state of each version of the service. */
public class DeskItems {
  /** Updates that any version in this process has executed. */
  static final AtomicInteger UPDATES = new AtomicInteger();

  @ReplicatedState private final List<String> items = new ArrayList<>();

  final int add(String item, String note) {
    UPDATES.incrementAndGet();
    items.add(note == null ? item : item + " (" + note + ")");
    return items.size();
  }

  final int remove(String item) {
    UPDATES.incrementAndGet();
    items.remove(item);
    return items.size();
  }

  final int size() {
    return items.size();
  }

  /** Returns the items, with a semicolon between. */
  @Read
  public String list() {
    return String.join("; ", items);
  }
}
