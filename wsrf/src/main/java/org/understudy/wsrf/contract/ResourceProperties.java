package org.understudy.wsrf.contract;

import java.util.List;
import javax.xml.namespace.QName;

/**
 * The resource property document of an endpoint (WS-ResourceProperties 1.2, "Resource Property Document"). Properties that
 * the standards require for an operation, for example {@code CurrentTime} for SetTerminationTime, are added automatically.
 *
 * @param document name of the root element. A schema of the service may declare it; otherwise it is composed of the
 *     properties
 * @param properties in the order of the document
 */
public record ResourceProperties(QName document, List<Property> properties) {
  public ResourceProperties {
    if (document.getNamespaceURI().isEmpty()) {
      throw new IllegalArgumentException("The resource property document " + document + " needs a namespace.");
    }
    for (Property property : properties) {
      if (property.name().getNamespaceURI().isEmpty()) {
        throw new IllegalArgumentException("The resource property " + property.name() + " needs a namespace.");
      }
    }
    properties = List.copyOf(properties);
  }
}
