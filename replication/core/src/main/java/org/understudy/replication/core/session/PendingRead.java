package org.understudy.replication.core.session;

import org.understudy.replication.api.ReadLevel;
import org.understudy.replication.core.Outcome;

/**
 * A read that has run and may not be answered yet.
 *
 * @param outcome a failure when that is what was read: for example that there is no such session
 * @param index the last update it may have seen
 * @param confirmation what {@link Agreement#confirmed} is to wait for; 0 where nothing is
 * @param doneAt when it had read, on this replica's clock
 */
public record PendingRead(long token, Outcome outcome, ReadLevel level, long index, long doneAt, long confirmation) {}
