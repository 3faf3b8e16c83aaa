package org.understudy.container.deployment;

import java.util.ArrayDeque;
import java.util.Deque;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Closes the parts of a deployment in reverse order, at its end or when a step of it fails. For one thread.
 */
public final class Closer implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Closer.class);

  private final Deque<Runnable> parts = new ArrayDeque<>();

  /** @param end closes a part, before the parts that were added earlier */
  public void add(Runnable end) {
    parts.push(end);
  }

  /** @param end closes a part, after all parts that were added earlier or by {@link #add} */
  public void addLast(Runnable end) {
    parts.addLast(end);
  }

  /** Closes all parts. An exception is logged, and the next part is closed. */
  @Override
  public void close() {
    for (Runnable end = parts.poll(); end != null; end = parts.poll()) {
      try {
        end.run();
      } catch (RuntimeException e) {
        LOG.error("A part of the web application could not be closed. The other parts are closed. Report it if it repeats.", e);
      }
    }
  }
}
