package org.understudy.container.durable;

import org.understudy.durability.proxy.ReconstructionProxy;

/** As the durability compiler generates it. */
final class LinesReconstruction extends ReconstructionProxy<Lines> implements Lines {
  LinesReconstruction(String name) {
    super(name, LinesState::new);
  }

  @Override
  public String all() {
    return object().all();
  }

  @Override
  public void add(String line) {
    update();
    object().add(line);
  }

  @Override
  public void clear() {
    update();
    object().clear();
  }
}
