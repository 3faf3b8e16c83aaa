package org.understudy.replication.simulation;

import org.understudy.replication.core.Message;

/** Which messages a trace shows, and how: without the bytes. */
final class Tracing {
  private Tracing() {}

  static boolean tells(Message message) {
    return !(message instanceof Message.Heartbeat || message instanceof Message.HeartbeatAck);
  }

  static String told(Message message) {
    if (message instanceof Message.Update update) {
      return "Update " + update.update().index() + " of epoch " + update.epoch() + ", stable " + update.stable()
          + ", " + update.update().kind() + " " + update.update().key();
    } else if (message instanceof Message.Snapshot part) {
      return "Snapshot of epoch " + part.epoch() + " up to " + part.index() + ", part " + part.part()
          + (part.last() ? ", the last" : "");
    }
    return message.toString();
  }
}
