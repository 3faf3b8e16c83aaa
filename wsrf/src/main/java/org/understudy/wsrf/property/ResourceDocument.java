package org.understudy.wsrf.property;

import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import javax.xml.namespace.QName;
import org.understudy.wsrf.contract.Property;
import org.understudy.wsrf.contract.ResourceProperties;
import org.understudy.wsrf.resource.ResourceTransaction;

/**
 * The resource property document of one kind of resource (WS-ResourceProperties 1.2, section 4): its name, its properties,
 * and the check whether a resource exists. Complete after deployment; then thread-safe.
 */
public final class ResourceDocument {
  private final QName name;
  private final Predicate<ResourceTransaction> exists;
  private final Function<ResourceTransaction, String> address;
  private final Map<QName, PropertySource> sources = new LinkedHashMap<>();
  private boolean localNames;

  /**
   * A document without properties.
   *
   * @param name of its element
   * @param exists whether the transaction's resource exists
   * @param address of the transaction's resource, for faults; null if unknown
   */
  public ResourceDocument(QName name, Predicate<ResourceTransaction> exists, Function<ResourceTransaction, String> address) {
    this.name = name;
    this.exists = exists;
    this.address = address;
  }

  /** Adds properties after the present ones, during deployment. */
  public ResourceDocument add(PropertySource source) {
    for (QName property : source.names()) {
      if (sources.putIfAbsent(property, source) != null) {
        throw new IllegalStateException("Two sources have the property " + property + ".");
      }
    }
    return this;
  }

  /**
   * Sets, during deployment, whether {@link #named} accepts names without their namespace.
   *
   * @return this
   */
  public ResourceDocument acceptLocalNames(boolean accept) {
    localNames = accept;
    return this;
  }

  /**
   * The property with this name. Some clients omit its namespace, or use that of the operation; a local name suffices if it
   * belongs to one property only.
   *
   * @return null when the property is unknown
   */
  public QName named(QName asked) {
    if (sources.containsKey(asked)) {
      return asked;
    }
    boolean lacksNamespace = asked.getNamespaceURI().isEmpty() || asked.getNamespaceURI().equals(PropertyOperations.NAMESPACE);
    if (!localNames || !lacksNamespace) {
      return null;
    }
    QName found = null;
    for (QName property : sources.keySet()) {
      if (property.getLocalPart().equals(asked.getLocalPart())) {
        if (found != null) {
          return null;
        }
        found = property;
      }
    }
    return found;
  }

  public QName name() {
    return name;
  }

  public boolean exists(ResourceTransaction transaction) {
    return exists.test(transaction);
  }

  public String address(ResourceTransaction transaction) {
    return address.apply(transaction);
  }

  /** The declarations for the contract. */
  public ResourceProperties declaration() {
    List<Property> properties = new ArrayList<>(sources.size());
    sources.forEach((property, source) -> properties.add(source.describe(property)));
    return new ResourceProperties(name, properties);
  }

  /** The names of all properties, in order. */
  public Set<QName> names() {
    return sources.keySet();
  }

  /** The source of the property with this name; null for none. */
  public PropertySource source(QName property) {
    return sources.get(property);
  }

  /** The values of a known property; empty when it has none. */
  public String values(QName property, ResourceTransaction transaction, Instant now) {
    StringBuilder text = new StringBuilder(128);
    sources.get(property).append(property, transaction, now, text);
    return text.toString();
  }

  /** The whole document. */
  public String text(ResourceTransaction transaction, Instant now) {
    StringBuilder text = new StringBuilder(1_024);
    String prefix = name.getNamespaceURI().isEmpty() ? "" : "d:";
    text.append('<').append(prefix).append(name.getLocalPart());
    if (!prefix.isEmpty()) {
      text.append(" xmlns:d=\"").append(name.getNamespaceURI()).append('"');
    }
    text.append('>');
    for (Map.Entry<QName, PropertySource> property : sources.entrySet()) {
      property.getValue().append(property.getKey(), transaction, now, text);
    }
    return text.append("</").append(prefix).append(name.getLocalPart()).append('>').toString();
  }
}
