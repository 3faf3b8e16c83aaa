package org.understudy.client.envelope;

import org.understudy.client.view.GroupView;
import org.understudy.replication.api.Certainty;
import org.understudy.replication.api.FailureCode;

/**
 * A {@code ReplicationFault}.
 *
 * @param code why there is no result
 * @param certainty what the replica says about the execution
 * @param view the view as that replica knows it; without replicas when it does not say
 * @param text the fault string, for people
 */
public record Refusal(FailureCode code, Certainty certainty, GroupView view, String text) {}
