package org.understudy.state;

import java.lang.reflect.Method;
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

  /** Returns the first class in the hierarchy that no container has generated. */
  public static Class<?> typeOf(Class<?> type) {
    Class<?> at = type;
    while (isGenerated(at) && at.getSuperclass() != Object.class) {
      at = at.getSuperclass();
    }
    return at;
  }

  /** Whether the name of the class shows that Spring or Weld has generated it. */
  static boolean isGenerated(Class<?> type) {
    return type.getName().contains("$$") || type.getName().contains("$Proxy$_$$_");
  }

  /** Returns null unless the object is a proxy of a known kind. Compares names, because these libraries may be missing. */
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
