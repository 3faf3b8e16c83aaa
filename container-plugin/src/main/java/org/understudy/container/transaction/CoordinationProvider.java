package org.understudy.container.transaction;

import java.io.IOException;
import java.util.List;
import java.util.Set;
import javax.xml.namespace.QName;
import org.w3c.dom.Element;

/**
 * A protocol by which coordinators outside this group decide transactions, for example WS-AtomicTransaction. Found by
 * {@code ServiceLoader} in the web application, with a public constructor without parameters, which must do nothing else: the container may
 * make several objects to read their {@link #headers}. One of them is {@link #started}.
 * Thread-safe.
 */
public interface CoordinationProvider {
  /** Of a registration. */
  int MAX_REGISTRATION = 128 << 10;

  /** The header blocks that name a transaction of this protocol. They are understood, also with {@code mustUnderstand}. */
  Set<QName> headers();

  /**
   * Reads a header block. Called on a request's thread; must not block.
   *
   * @param header a block whose name is one of {@link #headers}
   * @return the transaction; null if the block is no affair of this protocol, and the call is then outside of any transaction
   * @throws IllegalArgumentException with a sentence for the client, when the block is invalid: the call is not executed
   */
  TransactionContext contextOf(Element header);

  /**
   * Registers each replica's part of a transaction at its coordinator, so that the coordinator's decision reaches the group at any of them.
   * Called at the primary before the first call of the transaction is executed. May block.
   *
   * @param replicas the members of the view; the first one is this replica, and a coordinator should ask it first for its vote
   * @return what each replica needs to take part, at most {@value #MAX_REGISTRATION} bytes. It becomes part of the group's state: the first
   *     call is executed when all members of the view have stored it
   * @throws IOException with a sentence that names the coordinator, when it cannot be reached or refuses: the call is not executed
   */
  byte[] register(TransactionContext context, List<Integer> replicas) throws IOException;

  /**
   * This replica has learnt what {@link #register} returned, at the primary or before a restart. Called under the replica's lock; must
   * neither block nor throw.
   */
  void registered(String transaction, byte[] registration);

  /**
   * The group needs the registration no more: the transaction has ended, or its part was lost long ago. A later request for a vote must be
   * answered by an abort. As {@link #registered}; also for an unknown one.
   */
  void ended(String transaction);

  /**
   * Called once, before any request is served, with what answers for this replica: the coordinator of a transaction in doubt may ask
   * again after a restart.
   */
  default void started(TransactionParticipant participant) {}
}
