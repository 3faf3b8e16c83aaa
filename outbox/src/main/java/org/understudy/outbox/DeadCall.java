package org.understudy.outbox;

/**
 * A dead letter: a call that waits for an operator's decision.
 *
 * @param messageId {@code wsa:MessageID} of the call
 * @param destination its addresses, separated by spaces
 * @param answered whether its answer is stored and the service did not take it
 * @param attempts counted attempts of the replica that gave up
 * @param reason a sentence
 */
public record DeadCall(String messageId, String destination, boolean answered, int attempts, String reason) {}
