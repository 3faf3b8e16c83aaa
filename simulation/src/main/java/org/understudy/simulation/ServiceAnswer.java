package org.understudy.simulation;

import org.understudy.replication.core.Failure;
import org.understudy.replication.core.Reply;

/**
 * A replica's answer on its way back.
 *
 * @param bytes the envelope
 * @param reply what stands in it, for the checkers; null for a refusal
 * @param failure the refusal; null for a result. A replica's answer to another replica says so in an HTTP header
 */
record ServiceAnswer(int status, byte[] bytes, Reply reply, Failure failure) {}
