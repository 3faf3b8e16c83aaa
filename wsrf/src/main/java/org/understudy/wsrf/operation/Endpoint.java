package org.understudy.wsrf.operation;

import java.util.HashMap;
import java.util.Map;
import javax.xml.namespace.QName;

/** What stands at one path: standard operations, beside those of a service if one is deployed there. */
public final class Endpoint {
  private final String path;
  private final String keys;
  private final boolean one;
  private final Map<QName, StandardOperation> operations = new HashMap<>();

  /**
   * An endpoint without operations.
   *
   * @param path within the web application, for example {@code /services/CounterService}; the id of a resource follows it
   * @param keys what stands before a resource's id in the replicated state, for example {@code subscription/}; empty for
   *     the service's own resources
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
   * An endpoint of one resource, which need not be named.
   *
   * @param key of the resource in the replicated state
   */
  public static Endpoint ofOne(String path, String key) {
    return new Endpoint(path, key, true);
  }

  /** Adds an operation, while the service is being deployed. */
  public Endpoint add(StandardOperation operation) {
    if (operations.putIfAbsent(operation.element(), operation) != null) {
      throw new IllegalStateException("Two operations take " + operation.element() + " at " + path + ".");
    }
    return this;
  }

  public String path() {
    return path;
  }

  /** Whether requests to this path come here. */
  public boolean isAt(String asked) {
    return asked.startsWith(path) && (asked.length() == path.length() || asked.charAt(path.length()) == '/');
  }

  /** The resource that a path names, or null. */
  public String resourceIn(String asked) {
    return asked.length() > path.length() + 1 ? asked.substring(path.length() + 1) : null;
  }

  /**
   * Under which key the state of a resource is kept; null for null, and for what no id is like: the keys of one endpoint's
   * resources must not be reached through another's.
   */
  public String key(String resource) {
    if (one) {
      return keys;
    }
    return resource == null || resource.indexOf('/') >= 0 ? null : keys + resource;
  }

  /** The operation that takes this element, or null. */
  public StandardOperation operation(QName element) {
    return operations.get(element);
  }

  /** All that was added. */
  public Iterable<StandardOperation> operations() {
    return operations.values();
  }
}
