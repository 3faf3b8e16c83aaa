package org.understudy.simulation;

import org.understudy.replication.core.request.Failure;
import org.understudy.replication.core.request.Reply;

/**
 * A replica's answer.
 *
 * @param bytes the envelope
 * @param reply its content, for the checkers; null for a refusal
 * @param failure the refusal; null for a result. An HTTP header marks it between replicas
 */
record ServiceAnswer(int status, byte[] bytes, Reply reply, Failure failure) {}
