package org.understudy.replication.core.channel;

import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.core.GroupView;
import org.understudy.replication.core.Message;

/** Receives what a group channel delivers. The channel calls it from one thread at a time, in the group's order. */
public interface GroupReceiver {
  /** @param from the sender; this replica for its own messages */
  void delivered(ReplicaId from, Message message);

  void viewInstalled(GroupView view);

  /**
   * Reports that this replica cannot join the group, or has left it for good. Nothing is delivered after that.
   *
   * @param why the end of a sentence that begins with "because"
   * @param cause for the log; or null
   */
  void failed(String why, Throwable cause);
}
