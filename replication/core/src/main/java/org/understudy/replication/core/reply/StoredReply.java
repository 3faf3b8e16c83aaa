package org.understudy.replication.core.reply;

import org.understudy.replication.core.Outcome;

/**
 * An outcome kept for repetitions of its request.
 *
 * @param index of the state update it came with: it may be told when that is stable
 */
public record StoredReply(long digest, long index, Outcome outcome) {}
