package org.understudy.outbox;

/**
 * A call that waits for an operator's decision.
 *
 * @param messageId {@code wsa:MessageID} of the call
 * @param destination its addresses, separated by spaces
 * @param answered whether its answer is stored and the service did not take it
 * @param attempts that the replica made which gave up
 * @param reason a sentence
 */
public record DeadCall(String messageId, String destination, boolean answered, int attempts, String reason) {}
