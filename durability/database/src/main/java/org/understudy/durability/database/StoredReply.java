package org.understudy.durability.database;

import org.understudy.replication.api.decision.DecisionId;

/**
 * The row of a committed decision: where a service has database objects only, the rows are its reply table.
 *
 * @param id of the decision
 * @param response the encoded answer, as the commit wrote it
 */
public record StoredReply(DecisionId id, byte[] response) {}
