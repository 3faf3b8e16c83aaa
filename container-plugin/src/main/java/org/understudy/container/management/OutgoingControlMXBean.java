package org.understudy.container.management;

/**
 * What an operator can do about outgoing calls that are dead letters, through JMX: named
 * {@code org.understudy:type=OutgoingCalls,group=…,replica=…,service=…}. See {@code docs/operations.md}.
 */
public interface OutgoingControlMXBean {
  /** The dead letters, a line for each: message id, destination, attempts and reason. At any replica. */
  String deadLetters();

  /**
   * Sends a dead letter again; if its answer is stored, gives that to the service again. Only at the replica that executes updates.
   *
   * @param messageId as {@link #deadLetters} prints it
   * @return a sentence that confirms it, when that is stable
   * @throws IllegalArgumentException when there is no such dead letter
   * @throws IllegalStateException when the group does not accept the decision, with the reason
   */
  String retry(String messageId);

  /**
   * Ends a dead letter for good; the service is notified that the call was dropped. Only at the replica that executes updates.
   *
   * @param messageId as {@link #deadLetters} prints it
   * @return a sentence that confirms it, when that is stable
   * @throws IllegalArgumentException when there is no such dead letter
   * @throws IllegalStateException when the group does not accept the decision, with the reason
   */
  String drop(String messageId);
}
