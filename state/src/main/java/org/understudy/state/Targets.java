package org.understudy.state;

import java.lang.reflect.Method;
import java.lang.reflect.Proxy;

/** Finds the object behind the proxies that containers put before it. For deployment: uses reflection. */
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
      Object next = behind(at);
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

  /** Returns the class that a developer wrote: the first above those that a container has generated. */
  public static Class<?> typeOf(Class<?> type) {
    Class<?> at = type;
    while (isGenerated(at) && at.getSuperclass() != Object.class) {
      at = at.getSuperclass();
    }
    return at;
  }

  /** Whether a container has generated this subclass, as Spring and Weld name theirs. */
  static boolean isGenerated(Class<?> type) {
    return type.getName().contains("$$") || type.getName().contains("$Proxy$_$$_");
  }

  /** Null when the object is no proxy of a known kind. By names: none of these libraries need be there. */
  private static Object behind(Object bean) {
    Class<?> spring = implemented(bean.getClass(), "org.springframework.aop.framework.Advised");
    if (spring != null) {
      return call(call(bean, spring, "getTargetSource"), null, "getTarget");
    }
    Class<?> weld = implemented(bean.getClass(), "org.jboss.weld.interceptor.util.proxy.TargetInstanceProxy");
    if (weld != null) {
      return call(bean, weld, "weld_getTargetInstance");
    }
    Class<?> client = implemented(bean.getClass(), "org.jboss.weld.proxy.WeldClientProxy");
    if (client != null) {
      return call(call(bean, client, "getMetadata"), null, "getContextualInstance");
    }
    return null;
  }

  private static Class<?> implemented(Class<?> type, String name) {
    for (Class<?> at = type; at != null; at = at.getSuperclass()) {
      for (Class<?> one : at.getInterfaces()) {
        if (one.getName().equals(name)) {
          return one;
        }
        Class<?> inherited = implemented(one, name);
        if (inherited != null) {
          return inherited;
        }
      }
    }
    return null;
  }

  private static Object call(Object on, Class<?> declaring, String name) {
    try {
      Method method = (declaring == null ? on.getClass() : declaring).getMethod(name);
      method.trySetAccessible();
      return method.invoke(on);
    } catch (ReflectiveOperationException e) {
      throw new StateException("The object behind the proxy " + on.getClass().getName() + " cannot be found: " + e + ".");
    }
  }
}
