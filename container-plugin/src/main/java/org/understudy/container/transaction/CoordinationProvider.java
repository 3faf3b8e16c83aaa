package org.understudy.container.transaction;

import java.io.IOException;
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
   * Registers this replica's part of a transaction at its coordinator. Called at the primary before the first call of the transaction is
   * executed, and at each backup when it has received the context. May block.
   *
   * @param participant decides and answers for this replica; the same object in every call
   * @throws IOException with a sentence that names the coordinator, when it cannot be reached or refuses: at the primary the call is not
   *     executed
   */
  void register(TransactionContext context, TransactionParticipant participant) throws IOException;

  /**
   * Called once, before any request is served, with what answers for this replica: the coordinator of a transaction in doubt may ask
   * again after a restart.
   */
  default void started(TransactionParticipant participant) {}
}
