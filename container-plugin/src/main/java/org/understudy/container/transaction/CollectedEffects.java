package org.understudy.container.transaction;

import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a step of a protocol requested under a lock, to be done without it. Each is done whatever becomes of the others: a client that is
 * not answered because a message to another group could not be sent would wait for ever, and keep its objects locked. Not thread-safe.
 */
final class CollectedEffects {
  private static final Logger LOG = LoggerFactory.getLogger(CollectedEffects.class);

  private final List<Runnable> effects = new ArrayList<>();

  void add(Runnable effect) {
    effects.add(effect);
  }

  /** Does them in the order in which they were requested. */
  void run() {
    effects.forEach(CollectedEffects::attempt);
  }

  /** Does one, and logs what it throws. */
  static void attempt(Runnable effect) {
    try {
      effect.run();
    } catch (RuntimeException | Error e) {
      LOG.error("A step of a transaction over several groups failed. The transaction goes on as after a lost message.", e);
    }
  }
}
