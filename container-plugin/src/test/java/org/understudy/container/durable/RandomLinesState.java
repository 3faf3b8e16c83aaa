package org.understudy.container.durable;

import java.util.concurrent.ThreadLocalRandom;

/** A state object with randomness inside, which a mapping declares deterministic. */
class RandomLinesState extends LinesState {
  @Override
  public void add(String line) {
    super.add(line.startsWith("random") ? line + ThreadLocalRandom.current().nextLong() : line);
  }
}
