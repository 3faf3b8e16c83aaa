package org.understudy.replication.core.session;

import org.understudy.replication.api.ReadLevel;
import org.understudy.replication.core.request.Outcome;

/**
 * A read that has run and may not be answered yet.
 *
 * @param outcome can be a failure, for example an unknown session
 * @param index the last update that it may have seen
 * @param confirmation for {@link Agreement#confirmed}; 0 for none
 * @param doneAt when it had read, on this replica's clock
 */
public record PendingRead(long token, Outcome outcome, ReadLevel level, long index, long doneAt, long confirmation) {}
