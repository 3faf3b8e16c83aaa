package org.understudy.wsrf.property;

import java.time.Instant;
import java.util.List;
import javax.xml.namespace.QName;
import org.understudy.wsrf.contract.Property;
import org.understudy.wsrf.resource.ResourceTransaction;
import org.w3c.dom.Element;

/** Where some properties of a kind of resource come from. Thread-safe. */
public interface PropertySource {
  /** Which properties, in the order of the document; always the same. */
  List<QName> names();

  /**
   * Writes the values: elements that declare every prefix they use, as many as there are. Changes nothing; within a read
   * several threads may call it for one resource at once.
   */
  void append(QName name, ResourceTransaction transaction, Instant now, StringBuilder to);

  /** How a contract declares a property; if a schema declares it, its type comes from the schema. */
  default Property describe(QName name) {
    return new Property(name, null, true, true);
  }

  /** Whether clients may change it. */
  default boolean isModifiable(QName name) {
    return false;
  }

  /** Whether its value differs at each read, so that a value which a client sends back is ignored. */
  default boolean isOfTheMoment(QName name) {
    return false;
  }

  /**
   * Replaces all values of a modifiable property, in an update. Undone by the caller when it throws.
   *
   * @param values elements of this name; empty to delete it
   * @throws IllegalArgumentException when they cannot be taken; the message goes on after "…, for" and ends the sentence
   */
  default void replace(QName name, List<Element> values, ResourceTransaction transaction) {
    throw new UnsupportedOperationException("This source has no modifiable property.");
  }
}
