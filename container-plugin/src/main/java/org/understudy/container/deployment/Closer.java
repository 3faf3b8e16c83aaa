package org.understudy.container.deployment;

import java.util.ArrayDeque;
import java.util.Deque;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends what was opened, in the opposite order: when all is over, or the next step of a deployment fails. Belongs to one thread.
 */
public final class Closer implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Closer.class);

  private final Deque<Runnable> ends = new ArrayDeque<>();

  /** @param end ends what was just opened */
  public void add(Runnable end) {
    ends.push(end);
  }

  /** @param end ends what is needed until all that was opened, before it too, has ended */
  public void addLast(Runnable end) {
    ends.addLast(end);
  }

  /** Ends all; one that fails keeps none of the others. */
  @Override
  public void close() {
    for (Runnable end = ends.poll(); end != null; end = ends.poll()) {
      try {
        end.run();
      } catch (RuntimeException e) {
        LOG.error("A part of the web application could not be closed. Closing the others.", e);
      }
    }
  }
}
