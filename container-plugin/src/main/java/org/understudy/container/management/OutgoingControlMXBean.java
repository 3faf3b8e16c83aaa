package org.understudy.container.management;

/**
 * Operations on outgoing calls that are dead letters, through JMX. The MBean is named
 * {@code org.understudy:type=OutgoingCalls,group=…,replica=…,service=…}. See {@code docs/operations.md}.
 */
public interface OutgoingControlMXBean {
  /** Returns the dead letters, a line for each: message id, destination, attempts and reason. Works at any replica. */
  String deadLetters();

  /**
   * Sends a dead letter again, or delivers its stored response to the service again. Works only at the replica that executes
   * updates.
   *
   * @param messageId as {@link #deadLetters} prints it
   * @return a sentence that confirms the decision, once it is stable
   * @throws IllegalArgumentException when no dead letter has this id
   * @throws IllegalStateException when the group does not accept the decision, with the reason
   */
  String retry(String messageId);

  /**
   * Drops a dead letter permanently and notifies the service. Works only at the replica that executes updates.
   *
   * @param messageId as {@link #deadLetters} prints it
   * @return a sentence that confirms the decision, once it is stable
   * @throws IllegalArgumentException when no dead letter has this id
   * @throws IllegalStateException when the group does not accept the decision, with the reason
   */
  String drop(String messageId);
}
