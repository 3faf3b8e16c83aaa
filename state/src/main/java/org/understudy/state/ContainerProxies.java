package org.understudy.state;

import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.List;

/**
 * Looks behind one proxy of Spring, Weld or OpenWebBeans. Compares the names of classes, because these libraries may be missing. Uses
 * reflection; for deployment only.
 */
final class ContainerProxies {
  private static final String SPRING = "org.springframework.aop.framework.Advised";
  private static final String WELD_TARGET = "org.jboss.weld.interceptor.util.proxy.TargetInstanceProxy";
  private static final String WELD_CLIENT = "org.jboss.weld.proxy.WeldClientProxy";
  private static final String OPEN_WEB_BEANS_CLIENT = "org.apache.webbeans.proxy.OwbNormalScopeProxy";
  private static final String OPEN_WEB_BEANS_INTERCEPTOR = "org.apache.webbeans.proxy.OwbInterceptorProxy";

  private static final String SPRING_SCOPED = "org.springframework.aop.scope.ScopedObject";
  /** The target sources of Spring that are not static and nevertheless find one object, if that is a singleton: those of {@code @Lazy}. */
  private static final List<String> SPRING_LAZY =
      List.of(
          "org.springframework.aop.target.LazyInitTargetSource",
          "org.springframework.context.annotation.ContextAnnotationAutowireCandidateResolver");
  /** The only scope of CDI with proxies whose beans exist once and as long as the web application. */
  private static final String APPLICATION_SCOPED = "jakarta.enterprise.context.ApplicationScoped";

  private ContainerProxies() {}

  /**
   * Returns the object behind a proxy, or null when the object is not a proxy of a known kind.
   *
   * @throws StateException when there is none, for example because the scope of the bean is not active
   */
  static Object behind(Object bean) {
    Class<?> spring = implemented(bean.getClass(), SPRING);
    if (spring != null) {
      return call(bean, call(bean, bean, spring, "getTargetSource"), null, "getTarget");
    }
    Class<?> target = implemented(bean.getClass(), WELD_TARGET);
    if (target != null) {
      return call(bean, bean, target, "weld_getTargetInstance");
    }
    Class<?> weld = implemented(bean.getClass(), WELD_CLIENT);
    if (weld != null) {
      return call(bean, call(bean, bean, weld, "getMetadata"), null, "getContextualInstance");
    }
    if (implemented(bean.getClass(), OPEN_WEB_BEANS_CLIENT) != null) {
      return call(bean, field(bean, "owbContextualInstanceProvider"), null, "get");
    }
    return implemented(bean.getClass(), OPEN_WEB_BEANS_INTERCEPTOR) == null ? null : field(bean, "owbIntDecProxiedInstance");
  }

  /** Returns the type of the annotation of the scope of a bean behind a client proxy of CDI; null when the object is none. */
  static Class<?> scopeOf(Object bean) {
    Class<?> weld = implemented(bean.getClass(), WELD_CLIENT);
    Object holder = null;
    if (weld != null) {
      holder = call(bean, bean, weld, "getMetadata");
    } else if (implemented(bean.getClass(), OPEN_WEB_BEANS_CLIENT) != null) {
      holder = field(bean, "owbContextualInstanceProvider");
    }
    return holder == null ? null : (Class<?>) call(bean, call(bean, holder, null, "getBean"), null, "getScope");
  }

  /** Whether different calls of a proxy may reach different objects. Finds no object of a scope, since there may be none now. */
  static boolean hasSeveral(Object bean) {
    if (implemented(bean.getClass(), SPRING_SCOPED) != null) {
      return true;
    }
    Class<?> scope = scopeOf(bean);
    if (scope != null) {
      return !scope.getName().equals(APPLICATION_SCOPED);
    }
    Class<?> spring = implemented(bean.getClass(), SPRING);
    if (spring == null) {
      return false;
    }
    Object source = call(bean, bean, spring, "getTargetSource");
    if (Boolean.TRUE.equals(call(bean, source, null, "isStatic"))) {
      return false;
    }
    if (SPRING_LAZY.stream().noneMatch(source.getClass().getName()::startsWith)) {
      return true;
    }
    Object first = call(bean, source, null, "getTarget");
    return first != call(bean, source, null, "getTarget");
  }

  /** Returns the class that a proxy of Spring names as that of its object; null when the object is none, or names none. */
  static Class<?> typeBehind(Object bean) {
    Class<?> spring = implemented(bean.getClass(), SPRING);
    return spring == null ? null : (Class<?>) call(bean, bean, spring, "getTargetClass");
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

  /**
   * Calls a public method without parameters.
   *
   * @param declaring null for the class of the object
   */
  private static Object call(Object proxy, Object on, Class<?> declaring, String name) {
    try {
      Method method = (declaring == null ? on.getClass() : declaring).getMethod(name);
      method.trySetAccessible();
      return method.invoke(on);
    } catch (InvocationTargetException e) {
      throw notFound(proxy, e.getCause());
    } catch (ReflectiveOperationException e) {
      throw notFound(proxy, e);
    }
  }

  /** Reads a field that the proxy's own class declares. */
  private static Object field(Object proxy, String name) {
    try {
      Field field = proxy.getClass().getDeclaredField(name);
      field.setAccessible(true);
      return field.get(proxy);
    } catch (ReflectiveOperationException | RuntimeException e) {
      throw notFound(proxy, e);
    }
  }

  private static StateException notFound(Object proxy, Throwable cause) {
    return new StateException("The object behind the proxy " + proxy.getClass().getName() + " cannot be found: " + cause + ".");
  }
}
