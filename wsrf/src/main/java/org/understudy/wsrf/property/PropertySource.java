package org.understudy.wsrf.property;

import java.time.Instant;
import java.util.List;
import javax.xml.namespace.QName;
import org.understudy.wsrf.contract.Property;
import org.understudy.wsrf.resource.ResourceTransaction;
import org.w3c.dom.Element;

/** Supplies some properties of a kind of resource. Thread-safe. */
public interface PropertySource {
  /** The names of the properties, in the order of the document; constant. */
  List<QName> names();

  /**
   * Writes the values: elements that declare every prefix they use, as many as there are. Changes nothing; several reads
   * may call it concurrently for one resource.
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
   * Replaces all values of a modifiable property, in an update. The caller restores the state when this throws.
   *
   * @param values elements of this name; empty to delete it
   * @throws IllegalArgumentException when they are invalid; the message continues "…, for" and ends the sentence
   */
  default void replace(QName name, List<Element> values, ResourceTransaction transaction) {
    throw new UnsupportedOperationException("This source has no modifiable property.");
  }
}
