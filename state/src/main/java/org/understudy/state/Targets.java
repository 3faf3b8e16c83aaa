package org.understudy.state;

import java.lang.reflect.Proxy;

/** Finds the object behind the proxies of containers. Uses reflection; for deployment only. */
public final class Targets {
  private static final int MAX_PROXIES = 10;

  private Targets() {}

  /**
   * Returns the object whose fields hold the state.
   *
   * @throws StateException when it is behind a proxy of an unknown kind
   */
  public static Object unwrap(Object bean) {
    Object at = bean;
    for (int i = 0; i < MAX_PROXIES; i++) {
      Object next = ContainerProxies.behind(at);
      if (next == null) {
        break;
      }
      at = next;
    }
    if (Proxy.isProxyClass(at.getClass())) {
      throw new StateException(
          "The object behind the proxy " + at.getClass().getName() + " cannot be found. Pass the object itself to the container.");
    }
    return at;
  }

  /**
   * Returns the scope of a bean of CDI behind a client proxy, without creating the bean.
   *
   * @return the type of the scope's annotation; null when the object is not such a proxy, as beans of the scopes Dependent and Singleton
   * @throws StateException when the proxy does not reveal its bean
   */
  public static Class<?> scopeOf(Object bean) {
    return ContainerProxies.scopeOf(bean);
  }

  /**
   * Whether different calls of a bean may reach different objects, so that none of them has the state: it is behind a proxy for a scope
   * such as a request or a session, a pool, or a prototype. Finds no object of such a scope, since there may be none now.
   *
   * @throws StateException when a proxy cannot be examined
   */
  public static boolean hasSeveral(Object bean) {
    Object at = bean;
    for (int i = 0; i < MAX_PROXIES && at != null; i++) {
      if (ContainerProxies.hasSeveral(at)) {
        return true;
      }
      at = ContainerProxies.behind(at);
    }
    return false;
  }

  /** Returns the class of the object behind a bean without finding that object, as far as the proxy names it. */
  public static Class<?> typeBehind(Object bean) {
    Class<?> named = ContainerProxies.typeBehind(bean);
    return typeOf(named == null ? bean.getClass() : named);
  }

  /** Returns the first class in the hierarchy that no container has generated. */
  public static Class<?> typeOf(Class<?> type) {
    Class<?> at = type;
    while (isGenerated(at) && at.getSuperclass() != Object.class) {
      at = at.getSuperclass();
    }
    return at;
  }

  /** Whether the name of the class shows that Spring, Weld or OpenWebBeans has generated it. */
  public static boolean isGenerated(Class<?> type) {
    return type.getName().contains("$$") || type.getName().contains("$Proxy$_$$_");
  }
}
