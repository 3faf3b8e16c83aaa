package org.understudy.replication.core.order;

import java.util.List;
import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.api.SessionId;
import org.understudy.replication.core.Effects;
import org.understudy.replication.core.Role;
import org.understudy.replication.core.membership.Membership;
import org.understudy.replication.core.session.SessionActivity;
import org.understudy.replication.core.session.Sessions;

/** The primary of the view alone expires sessions. The other members report to it which sessions are active here. */
public final class SessionReports {
  private final Membership membership;
  private final Sessions sessions;

  public SessionReports(Membership membership, Sessions sessions) {
    this.membership = membership;
    this.sessions = sessions;
  }

  /** Sends the sessions that have been active at this member since the last report, if it is time. */
  public void send(long now, Effects out) {
    List<SessionId> active = sessions.takeActive(now);
    if (!active.isEmpty()) {
      out.send(membership.view().primary(), new SessionActivity(membership.view().epoch(), active));
    }
  }

  /** Takes a report of another member. Without effect unless this replica is the primary of the reported view. */
  public void onReport(long now, ReplicaId from, SessionActivity activity) {
    if (membership.role() == Role.PRIMARY
        && membership.inView(activity.epoch())
        && membership.view().contains(from)) {
      sessions.activeElsewhere(now, activity.sessions());
    }
  }
}
