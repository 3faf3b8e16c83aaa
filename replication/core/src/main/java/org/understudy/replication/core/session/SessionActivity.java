package org.understudy.replication.core.session;

import java.util.ArrayList;
import java.util.List;
import org.understudy.replication.api.SessionId;
import org.understudy.replication.core.Message;
import org.understudy.replication.core.MessageKind;
import org.understudy.replication.core.update.EncodedSize;
import org.understudy.replication.core.wire.WireReader;
import org.understudy.replication.core.wire.WireWriter;

/**
 * Reports, from a replica that serves requests, that these sessions are active there.
 *
 * @param sessions a thousand at most
 */
public record SessionActivity(long epoch, List<SessionId> sessions) implements Message {
  public static final MessageKind KIND = new MessageKind(16, "SessionActivity", "Membership", SessionActivity::read);

  private static final int SESSION_BYTES = 2 * Long.BYTES;

  @Override
  public MessageKind kind() {
    return KIND;
  }

  @Override
  public void write(WireWriter out) {
    out.i32(sessions.size());
    sessions.forEach(out::session);
  }

  @Override
  public long encodedBytes() {
    return EncodedSize.FIXED_BYTES + (long) SESSION_BYTES * sessions.size();
  }

  private static SessionActivity read(long epoch, WireReader in) {
    int count = in.count(SESSION_BYTES);
    List<SessionId> sessions = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      sessions.add(in.session());
    }
    return new SessionActivity(epoch, sessions);
  }
}
