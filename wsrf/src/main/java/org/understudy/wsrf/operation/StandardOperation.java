package org.understudy.wsrf.operation;

import java.time.Instant;
import javax.xml.namespace.QName;
import org.understudy.replication.api.ReadLevel;
import org.understudy.soap.basefault.DeclaredFault;

/** One operation of a standard at an {@link Endpoint}. Thread-safe; executed by the thread of its request. */
public interface StandardOperation {
  /** The body's element, which alone selects the operation. */
  QName element();

  /** WS-Addressing's action of the response; null when the operation has none. */
  String answer();

  /** Null for an update. An operation that is not marked as a read is ordered, replicated and executed once. */
  ReadLevel read();

  /**
   * Executes the operation. Must not block except on the locks of the transaction.
   *
   * @return the content of the response's Body: elements in UTF-8 that declare every prefix they use; empty for none
   * @throws DeclaredFault stored and replayed like a result; the transaction is rolled back
   */
  byte[] execute(Invocation invocation) throws DeclaredFault;

  /**
   * The fault that the operation's contract declares for a request that was not executed and may be retried later, or
   * elsewhere.
   *
   * @param sentence the reason
   * @return null when the contract declares none
   */
  default DeclaredFault unavailable(String sentence, Instant now) {
    return null;
  }

  /**
   * The fault that the operation's contract declares for a request beyond a limit.
   *
   * @param sentence which limit is reached
   * @return null when the contract declares none
   */
  default DeclaredFault full(String sentence, Instant now) {
    return unavailable(sentence, now);
  }
}
