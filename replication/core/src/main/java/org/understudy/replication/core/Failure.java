package org.understudy.replication.core;

import org.understudy.replication.api.FailureCode;

/**
 * Why there is no result.
 *
 * @param sentence what happened, to what, and what to do
 */
public record Failure(FailureCode code, String sentence) {}
