package org.understudy.channel.spread;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.understudy.channel.spread.session.SessionEvent;
import org.understudy.test.Condition;
import org.understudy.test.channel.SpreadDaemons;

/** Three real daemons on this machine, in one membership. */
final class Daemons extends SpreadDaemons {
  Daemons(Path directory) throws IOException {
    super(directory);
    try {
      awaitOneMembership();
    } catch (IOException | RuntimeException | Error e) {
      close();
      throw e;
    }
  }

  /** Waits until sessions at all daemons are in one group. */
  void awaitOneMembership() throws IOException {
    List<DaemonSession> sessions = new ArrayList<>();
    try {
      for (int i = 1; i <= COUNT; i++) {
        DaemonSession session = session(i);
        sessions.add(session);
        session.write(List.of(session.encoder().join("ready")));
      }
      int members = 0;
      while (members < COUNT) {
        members = sessions.get(0).next() instanceof SessionEvent.Membership membership ? membership.members().size() : members;
      }
    } finally {
      sessions.forEach(DaemonSession::close);
    }
  }

  private DaemonSession session(int daemon) {
    AtomicReference<DaemonSession> session = new AtomicReference<>();
    Condition.await("daemon " + daemon, () -> {
      try {
        session.set(DaemonSession.open(address(daemon), "ready" + daemon));
        return true;
      } catch (IOException e) {
        return false;
      }
    });
    return session.get();
  }
}
