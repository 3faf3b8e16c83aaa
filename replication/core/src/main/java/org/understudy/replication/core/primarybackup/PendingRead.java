package org.understudy.replication.core.primarybackup;

import org.understudy.replication.api.ReadLevel;
import org.understudy.replication.core.Failure;
import org.understudy.replication.core.Response;

/**
 * A read that has run and may not be told yet.
 *
 * @param response null when {@code failure} is what was read: that there is no such session
 * @param index the last update it may have seen
 * @param doneAt when it had read, on this replica's clock
 */
record PendingRead(long token, Response response, Failure failure, ReadLevel level, long index, long doneAt) {}
