package org.understudy.container.tomcat;

import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletRequestListener;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A web application as Tomcat keeps it. Tomcat's classes are not on the compile class path, and the servlet API hides the objects
 * that this class returns. Uses reflection; for deployment only.
 */
public final class TomcatApplication {
  private static final Logger LOG = LoggerFactory.getLogger(TomcatApplication.class);
  private static final String CONTEXT = "org.apache.catalina.Context";
  /** The facade, the context that it hides, and Tomcat's own context. */
  private static final int MAX_FACADES = 4;

  private final Object context;
  private final Class<?> type;

  private TomcatApplication(Object context, Class<?> type) {
    this.context = context;
    this.type = type;
  }

  /** Returns the application of a context, or null when the server is not Tomcat. */
  public static TomcatApplication of(ServletContext servletContext) {
    Object at = servletContext;
    try {
      for (int i = 0; i < MAX_FACADES && at != null; i++) {
        Class<?> type = implemented(at.getClass());
        if (type != null) {
          return new TomcatApplication(at, type);
        }
        at = inner(at);
      }
    } catch (ReflectiveOperationException | RuntimeException e) {
      LOG.debug("The server's context is not known.", e);
    }
    return null;
  }

  /** Returns the listeners that Tomcat calls at the beginning and the end of each request. */
  public List<ServletRequestListener> requestListeners() {
    List<ServletRequestListener> listeners = new ArrayList<>();
    for (Object listener : (Object[]) call(context, type, "getApplicationEventListeners")) {
      if (listener instanceof ServletRequestListener one) {
        listeners.add(one);
      }
    }
    return listeners;
  }

  private static Class<?> implemented(Class<?> type) {
    for (Class<?> at = type; at != null; at = at.getSuperclass()) {
      for (Class<?> one : at.getInterfaces()) {
        if (one.getName().equals(CONTEXT)) {
          return one;
        }
      }
    }
    return null;
  }

  /** Returns the context behind a facade, or null. */
  private static Object inner(Object facade) throws IllegalAccessException {
    for (Class<?> at = facade.getClass(); at != null; at = at.getSuperclass()) {
      for (Field field : at.getDeclaredFields()) {
        if (field.getName().equals("context") && field.trySetAccessible()) {
          return field.get(facade);
        }
      }
    }
    return null;
  }

  private static Object call(Object on, Class<?> declaring, String name) {
    try {
      return declaring.getMethod(name).invoke(on);
    } catch (InvocationTargetException e) {
      throw new IllegalStateException("Tomcat's " + name + " fails.", e.getCause());
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("This Tomcat has no " + name + ".", e);
    }
  }
}
