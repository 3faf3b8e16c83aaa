package org.understudy.client.envelope;

import org.understudy.client.view.GroupView;
import org.understudy.replication.api.VersionHandle;

/**
 * The answer of a session or failover operation; what it does not carry is null, 0 or {@link GroupView#NONE}.
 *
 * @param session the session's id
 * @param leaseSeconds how long the session lives without a request
 * @param version the group's version when the session was opened
 * @param view the group's view
 */
public record SessionAnswer(String session, int leaseSeconds, VersionHandle version, GroupView view) {}
