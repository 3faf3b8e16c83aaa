package org.understudy.container.deployment;

import java.util.ArrayDeque;
import java.util.Deque;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What was opened so far, to be ended in the opposite order: when all is over, or the next step fails. One thread's. */
final class Opened implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Opened.class);

  private final Deque<Runnable> ends = new ArrayDeque<>();

  /** @param end ends what was just opened */
  void add(Runnable end) {
    ends.push(end);
  }

  /** @param end ends what is needed until all that was opened, before it too, has ended */
  void addLast(Runnable end) {
    ends.addLast(end);
  }

  /** Ends all; one that fails keeps none of the others. */
  @Override
  public void close() {
    for (Runnable end = ends.poll(); end != null; end = ends.poll()) {
      try {
        end.run();
      } catch (RuntimeException e) {
        LOG.error("A part of the web application did not end as it should; the others do.", e);
      }
    }
  }
}
