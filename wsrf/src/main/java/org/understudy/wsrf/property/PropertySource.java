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
   * several threads may ask for one resource at once.
   */
  void append(QName name, ResourceTransaction visit, Instant now, StringBuilder to);

  /** What a contract tells of a property; for one that a schema declares, the schema tells the type. */
  default Property describe(QName name) {
    return new Property(name, null, true, true);
  }

  /** Whether clients may change it. */
  default boolean isModifiable(QName name) {
    return false;
  }

  /** Whether its value is another at each look, so that a client who sends back what it read means nothing by it. */
  default boolean isOfTheMoment(QName name) {
    return false;
  }

  /**
   * Replaces all values of a modifiable property, in an update. Undone by the caller when it throws.
   *
   * @param values elements of this name; empty to delete it
   * @throws IllegalArgumentException when they cannot be taken; the message goes on after "…, for" and ends the sentence
   */
  default void replace(QName name, List<Element> values, ResourceTransaction visit) {
    throw new UnsupportedOperationException("This source has no modifiable property.");
  }
}
