package org.understudy.client.envelope;

import org.understudy.client.view.GroupView;
import org.understudy.replication.api.Certainty;
import org.understudy.replication.api.FailureCode;

/**
 * A {@code ReplicationFault}.
 *
 * @param code why there is no result; null for a code of a newer replica that is unknown to this client
 * @param name of the code, as the replica wrote it
 * @param certainty what the replica reports about the execution
 * @param blamesRequest whether the SOAP fault declares the request invalid, so that every replica would refuse it
 * @param view the view as that replica knows it; without replicas when it does not report them
 * @param target the number of the replica to which the request is to be sent; 0 for none
 * @param text the fault string, for people
 */
public record Refusal(
    FailureCode code, String name, Certainty certainty, boolean blamesRequest, GroupView view, int target, String text) {
  /** With a code that this client knows. */
  public Refusal(FailureCode code, Certainty certainty, GroupView view, String text) {
    this(code, code.name(), certainty, code.isTerminal(), view, 0, text);
  }
}
