package org.understudy.wsrf.contract;

import java.util.Objects;
import javax.xml.namespace.QName;

/**
 * A resource property as a contract declares it.
 *
 * @param name of its element
 * @param type of the element if no schema of the service declares it; null for any type
 * @param optional whether it may be missing
 * @param repeated whether there may be more than one
 */
public record Property(QName name, QName type, boolean optional, boolean repeated) {
  public Property {
    Objects.requireNonNull(name);
  }
}
