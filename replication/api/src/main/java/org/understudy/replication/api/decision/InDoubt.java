package org.understudy.replication.api.decision;

import java.util.List;

/**
 * An update that is prepared for the coordinator of a transaction, and that this replica knows no decision of.
 *
 * @param id of the prepared update
 * @param participant what it records about its transaction
 * @param resources the keys of the resources that it changes. The key of a new entry of a log is incomplete
 */
public record InDoubt(DecisionId id, ParticipantRecord participant, List<String> resources) {
  public InDoubt {
    resources = List.copyOf(resources);
  }
}
