package org.understudy.replication.api.property;

import java.util.List;
import javax.xml.namespace.QName;
import org.w3c.dom.Document;
import org.w3c.dom.Element;

/**
 * A state object that is XML already: it supplies its resource property document itself. It is marked
 * {@link ResourceProperties} too, which names the document. Called as
 * {@link org.understudy.replication.api.StateCapture} says.
 */
public interface PropertyDocument {
  /** The names of all properties that the document may hold, in their order; always the same. */
  List<QName> names();

  /** Whether clients may change the property of this name. */
  default boolean isModifiable(QName name) {
    return false;
  }

  /**
   * Returns the current document. Changes nothing; several reads may call it concurrently.
   *
   * @param factory makes elements; nothing need be added to it
   */
  Element properties(Document factory);

  /**
   * Takes another document: what is modifiable may differ from {@link #properties}, all else is as it was.
   *
   * @param document must not be kept
   * @throws IllegalArgumentException when a value is invalid; the message is the reason in the fault to the client
   */
  default void replaceProperties(Element document) {
    throw new IllegalArgumentException("No property can be changed.");
  }
}
