package org.understudy.replication.simulation;

import org.understudy.replication.core.Message;
import org.understudy.replication.core.membership.MembershipMessage;
import org.understudy.replication.core.order.OrderMessage;
import org.understudy.replication.core.transfer.TransferMessage;

/** Formats messages for a trace, without their bytes. */
final class Tracing {
  private Tracing() {}

  static boolean tells(Message message) {
    return !(message instanceof MembershipMessage.Heartbeat || message instanceof MembershipMessage.HeartbeatAck);
  }

  static String text(Message message) {
    if (message instanceof OrderMessage.Update update) {
      return "Update " + update.update().index() + " of epoch " + update.epoch() + ", stable " + update.stable()
          + ", " + update.update().kind() + " " + update.update().key();
    } else if (message instanceof TransferMessage.Snapshot part) {
      return "Snapshot of epoch " + part.epoch() + " up to " + part.index() + ", part " + part.part()
          + (part.last() ? ", the last" : "");
    }
    return message.toString();
  }
}
