package org.understudy.container.transaction;

import java.nio.charset.StandardCharsets;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import org.codehaus.stax2.XMLStreamReader2;
import org.understudy.replication.api.FailureCode;
import org.understudy.replication.core.request.Failure;
import org.understudy.replication.soap.ReplicationNames;
import org.understudy.replication.soap.TransactionReference;
import org.understudy.soap.envelope.EnvelopeCursor;
import org.understudy.soap.xml.HardenedXmlReader;

/** The Bodies of the operations on transactions; see {@code docs/wire.md}. */
final class TransactionBody {
  private static final String TRANSACTION = "Transaction";
  private static final String ELEMENT = "{" + ReplicationNames.NAMESPACE + "}" + TRANSACTION;
  private static final String LIFETIME = "LifetimeMs";
  private static final String COORDINATOR = "Coordinator";

  private TransactionBody() {}

  /**
   * Reads the id of the transaction that a request names.
   *
   * @throws RefusedCallException when it names none, or several, or what is no id, or is not well-formed up to its end
   */
  static String id(byte[] envelope) throws RefusedCallException {
    String id = named(envelope);
    try {
      if (!id.isEmpty()) {
        return new TransactionReference(id, null).id();
      }
    } catch (IllegalArgumentException e) {
      throw refused("The request cannot be understood: " + e.getMessage());
    }
    throw refused("The request names no transaction. Send its id in the element " + ELEMENT + ".");
  }

  /** @throws RefusedCallException when a request that names no transaction is not well-formed up to its end */
  static void check(byte[] envelope) throws RefusedCallException {
    named(envelope);
  }

  /** Returns the text of the only element for an id, or an empty string. */
  private static String named(byte[] envelope) throws RefusedCallException {
    try {
      XMLStreamReader2 in = HardenedXmlReader.openBounded(envelope, envelope.length);
      EnvelopeCursor cursor = new EnvelopeCursor(in);
      cursor.open();
      while (cursor.nextBlock()) {
        // The header blocks have been read already.
      }
      in.nextTag();
      String id = "";
      while (in.nextTag() == XMLStreamConstants.START_ELEMENT) {
        if (TRANSACTION.equals(in.getLocalName()) && ReplicationNames.NAMESPACE.equals(in.getNamespaceURI())) {
          if (!id.isEmpty()) {
            throw refused("The request names several transactions. Send one id in the element " + ELEMENT + ".");
          }
          id = in.getElementText().strip();
        } else {
          in.skipElement();
        }
      }
      cursor.end();
      return id;
    } catch (XMLStreamException e) {
      throw refused("The request is invalid: " + HardenedXmlReader.reason(e));
    }
  }

  private static RefusedCallException refused(String sentence) {
    return new RefusedCallException(new Failure(FailureCode.BadRequest, sentence));
  }

  /** @param group the name of this group, which a client sends with its calls to other groups */
  static byte[] begun(String id, long lifetimeMs, String group) {
    return answer(
        TransactionOperation.BEGIN,
        element(TRANSACTION, id) + element(LIFETIME, Long.toString(lifetimeMs))
            + (TransactionReference.isValid(group) ? element(COORDINATOR, group) : ""));
  }

  private static String element(String name, String text) {
    return "<ur:" + name + ">" + text + "</ur:" + name + ">";
  }

  /** The answer to an operation that has ended a transaction. */
  static byte[] ended(TransactionOperation operation) {
    return answer(operation, "");
  }

  private static byte[] answer(TransactionOperation operation, String content) {
    String name = operation.element().getLocalPart() + "Response";
    return (ReplicationNames.open(name) + content + "</ur:" + name + ">").getBytes(StandardCharsets.UTF_8);
  }
}
