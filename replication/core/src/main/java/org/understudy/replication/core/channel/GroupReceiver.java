package org.understudy.replication.core.channel;

import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.core.GroupView;
import org.understudy.replication.core.Message;

/** Takes what a group channel delivers. The channel calls it from one thread at a time, in the group's order. */
public interface GroupReceiver {
  /** @param from who multicast it; the receiver itself, for its own messages */
  void delivered(ReplicaId from, Message message);

  void viewInstalled(GroupView view);

  /**
   * This replica cannot join the group, or is not in it any more and will not be again. Nothing is delivered after that.
   *
   * @param why the end of a sentence that begins with "because"
   * @param cause for the log; or null
   */
  void failed(String why, Throwable cause);
}
