package org.understudy.replication.runtime;

import org.understudy.replication.api.View;
import org.understudy.replication.core.Role;

/** Hears of every change of role or view, in order, from one thread at a time. Must not block. */
@FunctionalInterface
public interface ViewListener {
  void changed(Role role, View view);
}
