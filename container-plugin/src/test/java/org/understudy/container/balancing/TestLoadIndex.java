package org.understudy.container.balancing;

import org.understudy.replication.api.LoadIndex;

/** An index that a web application installs. */
public final class TestLoadIndex implements LoadIndex {
  private int index;
  private boolean failing;

  @Override
  public String name() {
    return "test";
  }

  @Override
  public int current() {
    if (failing) {
      throw new IllegalStateException("No index today.");
    }
    return index;
  }

  void set(int next) {
    index = next;
  }

  void fail() {
    failing = true;
  }
}
