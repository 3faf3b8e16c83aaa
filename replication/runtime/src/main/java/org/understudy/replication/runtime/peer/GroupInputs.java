package org.understudy.replication.runtime.peer;

import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.core.GroupView;
import org.understudy.replication.core.Input;
import org.understudy.replication.core.Message;
import org.understudy.replication.core.channel.GroupReceiver;

/**
 * Steps the core with the events of the group channel, one event in each step, in the channel's order. A channel that fails
 * halts the replica. A replica that can do without it uses a {@link ReopenedChannel}, which does not fail.
 */
public final class GroupInputs implements GroupReceiver {
  private final String channel;
  private final Consumer<Input> step;
  private final BiConsumer<String, Throwable> halt;

  /**
   * @param channel its name
   * @param halt takes the reason to halt, as the end of a sentence, and the cause
   */
  public GroupInputs(String channel, Consumer<Input> step, BiConsumer<String, Throwable> halt) {
    this.channel = channel;
    this.step = step;
    this.halt = halt;
  }

  @Override
  public void delivered(ReplicaId from, Message message) {
    step.accept(new Input.Delivered(from, message));
  }

  @Override
  public void viewInstalled(GroupView view) {
    step.accept(new Input.ViewInstalled(view));
  }

  @Override
  public void failed(String why, Throwable cause) {
    halt.accept("its group channel " + channel + " failed (" + why + ")", cause);
  }
}
