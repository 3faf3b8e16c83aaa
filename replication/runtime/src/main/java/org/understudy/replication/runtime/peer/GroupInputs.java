package org.understudy.replication.runtime.peer;

import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.core.GroupView;
import org.understudy.replication.core.Input;
import org.understudy.replication.core.Message;
import org.understudy.replication.core.channel.GroupReceiver;

/**
 * Steps the core with the events of the group channel, one event in each step, in the channel's order. A channel that fails
 * halts the replica, unless the replica has channels to its peers: then it continues over these, and the core receives a view
 * without members.
 */
public final class GroupInputs implements GroupReceiver {
  private static final Logger LOG = LoggerFactory.getLogger(GroupInputs.class);

  private final String channel;
  private final Consumer<Input> step;
  private final BiConsumer<String, Throwable> halt;
  private long lastView;

  /**
   * @param channel its name
   * @param halt takes the reason to halt, as the end of a sentence, and the cause; null when the replica continues over its
   *     peer channels
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
    lastView = view.number();
    step.accept(new Input.ViewInstalled(view));
  }

  @Override
  public void failed(String why, Throwable cause) {
    if (halt != null) {
      halt.accept("its group channel " + channel + " failed (" + why + ")", cause);
    } else {
      LOG.warn(
          "The group channel {} of this replica failed, because {}. The replica continues over the channels to its peers, which is"
              + " slower for updates at other replicas than the primary.",
          channel, why, cause);
      step.accept(new Input.ViewInstalled(new GroupView(lastView + 1, List.of())));
    }
  }
}
