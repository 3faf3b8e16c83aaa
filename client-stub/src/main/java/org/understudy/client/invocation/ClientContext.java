package org.understudy.client.invocation;

import java.time.Duration;
import java.util.concurrent.ScheduledExecutorService;
import org.understudy.client.view.KnownViews;

/**
 * The objects that all invocations of a group share.
 *
 * @param responseTimeout of one attempt, where its message has no other one
 * @param views the known views
 * @param reach which replicas are unreachable
 * @param open invocations to notify of a failover
 * @param pauses between attempts
 * @param clock for what is due later; its tasks may be late, because renewals of sessions run there too
 */
public record ClientContext(
    Duration responseTimeout,
    KnownViews views,
    Reachability reach,
    InFlightInvocations open,
    Backoff pauses,
    ScheduledExecutorService clock) {}
