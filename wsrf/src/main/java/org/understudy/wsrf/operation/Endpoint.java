package org.understudy.wsrf.operation;

import java.util.HashMap;
import java.util.Map;
import javax.xml.namespace.QName;

/** The standard operations at one path, in addition to those of a service that is deployed there. */
public final class Endpoint {
  private final String path;
  private final String keys;
  private final boolean one;
  private final Map<QName, StandardOperation> operations = new HashMap<>();

  /**
   * An endpoint without operations.
   *
   * @param path within the web application, for example {@code /services/CounterService}; the id of a resource follows it
   * @param keys the prefix of its resources' keys in the replicated state, for example {@code subscription/}; empty for the
   *     service's own resources
   */
  public Endpoint(String path, String keys) {
    this(path, keys, false);
  }

  private Endpoint(String path, String keys, boolean one) {
    this.path = path;
    this.keys = keys;
    this.one = one;
  }

  /**
   * An endpoint of a single resource, which requests need not name.
   *
   * @param key of the resource in the replicated state
   */
  public static Endpoint ofOne(String path, String key) {
    return new Endpoint(path, key, true);
  }

  /** Adds an operation, during deployment. */
  public Endpoint add(StandardOperation operation) {
    if (operations.putIfAbsent(operation.element(), operation) != null) {
      throw new IllegalStateException("Two operations take " + operation.element() + " at " + path + ".");
    }
    return this;
  }

  public String path() {
    return path;
  }

  /** Whether requests to this path belong to this endpoint. */
  public boolean isAt(String asked) {
    return asked.startsWith(path) && (asked.length() == path.length() || asked.charAt(path.length()) == '/');
  }

  /** The resource that a path names, or null. */
  public String resourceIn(String asked) {
    return asked.length() > path.length() + 1 ? asked.substring(path.length() + 1) : null;
  }

  /**
   * The key of a resource's state; null for null and for invalid ids, because the keys of one endpoint's resources must not
   * be reachable through another's.
   */
  public String key(String resource) {
    if (one) {
      return keys;
    }
    return resource == null || resource.indexOf('/') >= 0 ? null : keys + resource;
  }

  /** The operation with this element, or null. */
  public StandardOperation operation(QName element) {
    return operations.get(element);
  }

  /** All added operations. */
  public Iterable<StandardOperation> operations() {
    return operations.values();
  }
}
