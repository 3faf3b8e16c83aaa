package org.understudy.container.tomcat;

import jakarta.servlet.Servlet;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletRequestListener;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;
import java.util.logging.Logger;
import org.slf4j.LoggerFactory;

/**
 * A web application as Tomcat keeps it. Tomcat's classes are not on the compile class path, and the servlet API hides the objects
 * that this class returns. Uses reflection; for deployment only.
 */
public final class TomcatApplication {
  private static final org.slf4j.Logger LOG = LoggerFactory.getLogger(TomcatApplication.class);
  private static final String CONTEXT = "org.apache.catalina.Context";
  /** The facade, the context that it hides, and Tomcat's own context. */
  private static final int MAX_FACADES = 4;

  /** The bit of the dispatcher type REQUEST in a mapping. */
  private static final int REQUEST = 8;
  /** Tomcat's own, in each application with WebSocket on the class path. It handles only requests to open one. */
  private static final String WEB_SOCKETS = "org.apache.tomcat.websocket.server.WsFilter";

  private static final String HTTP2 = "Http2Protocol";
  /** Tomcat's defaults: streams of a connection that are executed at a time, and how long each write may block. */
  private static final int DEFAULT_STREAMS = 20;
  private static final long DEFAULT_WRITE_MS = 20_000;

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
        at = field(at, "context");
      }
    } catch (RuntimeException e) {
      LOG.debug("The server's context is not known.", e);
    }
    return null;
  }

  /** Returns Tomcat's context. */
  Object context() {
    return context;
  }

  /** Returns the listeners that Tomcat calls at the beginning and the end of each request. */
  public List<ServletRequestListener> requestListeners() {
    return known("the listeners", List.of(), () -> {
      List<ServletRequestListener> listeners = new ArrayList<>();
      for (Object listener : (Object[]) call(context, type, "getApplicationEventListeners")) {
        if (listener instanceof ServletRequestListener one) {
          listeners.add(one);
        }
      }
      return listeners;
    });
  }

  /** Returns the instance of a servlet, or null when it is not loaded yet. */
  public Servlet servlet(String name) {
    return known("the servlets", null, () -> {
      Object wrapper = call(context, type, "findChild", name);
      return wrapper == null ? null : (Servlet) call(wrapper, wrapper.getClass(), "getServlet");
    });
  }

  /** Whether a servlet that starts with the application has failed to. Tomcat initialises it again for each request. */
  public boolean isFailed(String name) {
    return known("the servlets", false, () -> {
      Object wrapper = call(context, type, "findChild", name);
      return wrapper != null
          && (int) call(wrapper, wrapper.getClass(), "getLoadOnStartup") >= 0
          && Boolean.FALSE.equals(field(wrapper, "instanceInitialized"));
    });
  }

  /** Returns the logger of the application's servlets, or null when the server does not log by the JDK. */
  Logger logger() {
    return known("the log", null, () -> field(call(context, type, "getLogger"), "logger") instanceof Logger logger ? logger : null);
  }

  /** Returns the value of a field; null when there is none. */
  private static Object field(Object of, String name) {
    for (Class<?> at = of.getClass(); at != null; at = at.getSuperclass()) {
      for (Field field : at.getDeclaredFields()) {
        if (field.getName().equals(name) && field.trySetAccessible()) {
          try {
            return field.get(of);
          } catch (IllegalAccessException e) {
            throw new IllegalStateException("The field " + name + " of Tomcat cannot be read.", e);
          }
        }
      }
    }
    return null;
  }

  /** Returns the mappings of filters for the dispatcher type REQUEST, in the order of URL patterns, without that for WebSocket. */
  public List<MappedFilter> filters() {
    return known("the filters", List.of(), () -> {
      List<MappedFilter> filters = new ArrayList<>();
      for (Object map : (Object[]) call(context, type, "findFilterMaps")) {
        if (((int) call(map, map.getClass(), "getDispatcherMapping") & REQUEST) != 0) {
          addFilter(map, filters);
        }
      }
      return filters;
    });
  }

  private void addFilter(Object map, List<MappedFilter> filters) {
    String name = (String) call(map, map.getClass(), "getFilterName");
    Object definition = call(context, type, "findFilterDef", name);
    if (!WEB_SOCKETS.equals(call(definition, definition.getClass(), "getFilterClass"))) {
      filters.add(
          new MappedFilter(
              name,
              Boolean.parseBoolean((String) call(definition, definition.getClass(), "getAsyncSupported")),
              names(map, "getMatchAllUrlPatterns", "getURLPatterns"),
              names(map, "getMatchAllServletNames", "getServletNames")));
    }
  }

  /**
   * Returns the connectors with HTTP/2 that let one connection occupy many threads, or for long: a client whose windows are zero keeps the
   * thread of each of its streams until the write times out.
   */
  public List<String> wideHttp2Connectors() {
    return known("the connectors", List.of(), () -> {
      Object host = call(context, type, "getParent");
      Object engine = host == null ? null : call(host, host.getClass(), "getParent");
      Object service = engine == null ? null : call(engine, engine.getClass(), "getService");
      List<String> wide = new ArrayList<>();
      for (Object connector : service == null ? new Object[0] : (Object[]) call(service, service.getClass(), "findConnectors")) {
        for (Object protocol : (Object[]) call(connector, connector.getClass(), "findUpgradeProtocols")) {
          if (protocol.getClass().getSimpleName().equals(HTTP2) && isWide(protocol)) {
            wide.add(connector.toString());
          }
        }
      }
      return wide;
    });
  }

  private static boolean isWide(Object http2) {
    int streams = (int) call(http2, http2.getClass(), "getMaxConcurrentStreamExecution");
    long write = (long) call(http2, http2.getClass(), "getStreamWriteTimeout");
    return streams <= 0 || streams >= DEFAULT_STREAMS || write <= 0 || write >= DEFAULT_WRITE_MS;
  }

  /** Returns a default when this version of Tomcat has other methods. */
  private static <T> T known(String what, T otherwise, Supplier<T> found) {
    try {
      return found.get();
    } catch (IllegalStateException | ClassCastException e) {
      LOG.warn("Understudy cannot read {} of the web application from this version of Tomcat, and goes on without. Report the version.",
          what, e);
      return otherwise;
    }
  }

  private static List<String> names(Object map, String all, String some) {
    return (boolean) call(map, map.getClass(), all) ? List.of("*") : List.of((String[]) call(map, map.getClass(), some));
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

  /** Calls a public method; its parameters are strings. */
  private static Object call(Object on, Class<?> declaring, String name, String... arguments) {
    try {
      Class<?>[] parameters = new Class<?>[arguments.length];
      Arrays.fill(parameters, String.class);
      return declaring.getMethod(name, parameters).invoke(on, (Object[]) arguments);
    } catch (InvocationTargetException e) {
      throw new IllegalStateException("Tomcat's " + name + " fails.", e.getCause());
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("This Tomcat has no " + name + ".", e);
    }
  }
}
