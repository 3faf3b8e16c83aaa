package org.understudy.client;

/** Counts the ports of a group. A group without another owner is created with its first port and closed with its last. */
final class SharedGroup {
  private final FaultTolerance config;
  private final boolean owned;
  private FaultTolerantGroup group;
  private int ports;

  /** Owned by the ports. */
  SharedGroup(FaultTolerance config) {
    this.config = config;
    this.owned = true;
  }

  /** Owned by the caller of {@link FaultTolerant#group}. */
  SharedGroup(FaultTolerantGroup group) {
    this.config = group.config();
    this.owned = false;
    this.group = group;
  }

  synchronized FaultTolerantGroup join() {
    if (group == null) {
      group = new FaultTolerantGroup(config);
    }
    ports++;
    return group;
  }

  void leave() {
    FaultTolerantGroup last = null;
    synchronized (this) {
      if (--ports == 0 && owned) {
        last = group;
        group = null;
      }
    }
    if (last != null) {
      last.close();
    }
  }
}
