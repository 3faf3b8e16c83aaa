package org.understudy.client.invocation;

import org.understudy.client.connection.ReplicaConnections;
import org.understudy.client.view.KnownViews;

/**
 * What every delivery of one group shares.
 *
 * @param connections to the replicas
 * @param views which replica is the primary
 * @param reach which replicas are not reached
 * @param open deliveries that must be notified of a failover
 * @param pauses between attempts
 */
public record ClientContext(
    ReplicaConnections connections, KnownViews views, Reachability reach, InFlightInvocations open, Backoff pauses) {}
