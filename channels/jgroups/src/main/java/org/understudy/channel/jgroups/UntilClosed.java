package org.understudy.channel.jgroups;

import java.util.function.BooleanSupplier;
import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.core.GroupView;
import org.understudy.replication.core.Message;
import org.understudy.replication.core.channel.GroupReceiver;

/**
 * Passes nothing on after the channel is closed.
 *
 * @param closed whether it is, by any thread
 */
record UntilClosed(GroupReceiver taker, BooleanSupplier closed) implements GroupReceiver {
  @Override
  public void delivered(ReplicaId from, Message message) {
    if (!closed.getAsBoolean()) {
      taker.delivered(from, message);
    }
  }

  @Override
  public void viewInstalled(GroupView view) {
    if (!closed.getAsBoolean()) {
      taker.viewInstalled(view);
    }
  }

  @Override
  public void failed(String why, Throwable cause) {
    if (!closed.getAsBoolean()) {
      taker.failed(why, cause);
    }
  }
}
