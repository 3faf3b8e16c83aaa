package org.understudy.replication.api.decision;

/**
 * The row of a committed decision.
 *
 * @param key the encoded identity of the request, as {@link Branch#commit} wrote it
 * @param response the encoded answer, as it wrote that. Neither array may be changed
 */
public record DecidedRow(DecisionId id, byte[] key, byte[] response) {}
