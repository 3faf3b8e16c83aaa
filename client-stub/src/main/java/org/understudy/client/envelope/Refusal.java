package org.understudy.client.envelope;

import org.understudy.client.view.GroupView;
import org.understudy.replication.api.Certainty;
import org.understudy.replication.api.FailureCode;

/**
 * A {@code ReplicationFault}.
 *
 * @param code why there is no result; null for a code of a newer replica that this client does not know
 * @param name of the code, as the replica wrote it
 * @param certainty what the replica says about the execution
 * @param blamesRequest whether the SOAP fault says that the request is at fault, so that no replica would answer otherwise
 * @param view the view as that replica knows it; without replicas when it does not say
 * @param text the fault string, for people
 */
public record Refusal(
    FailureCode code, String name, Certainty certainty, boolean blamesRequest, GroupView view, String text) {
  /** With a code that this client knows. */
  public Refusal(FailureCode code, Certainty certainty, GroupView view, String text) {
    this(code, code.name(), certainty, code.isTerminal(), view, text);
  }
}
