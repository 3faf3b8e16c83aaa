package org.understudy.client.envelope;

import org.understudy.client.view.GroupView;
import org.understudy.replication.api.VersionHandles;

/**
 * The answer of a session or failover operation; missing values are null, 0, {@link VersionHandles#NONE} or {@link
 * GroupView#NONE}.
 *
 * @param session the session's id
 * @param leaseSeconds how long the session lives without a request
 * @param versions the group's version when the session was opened
 * @param view the group's view
 */
public record SessionAnswer(String session, int leaseSeconds, VersionHandles versions, GroupView view) {}
