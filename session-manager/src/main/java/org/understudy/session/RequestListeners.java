package org.understudy.session;

import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletRequestEvent;
import jakarta.servlet.ServletRequestListener;
import jakarta.servlet.http.HttpServletRequest;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.apache.catalina.Context;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.understudy.replication.core.request.Failure;

/**
 * The listeners of requests of a web application. A run of a request ends with their {@code requestDestroyed}, so that what they change in
 * the session belongs to the request's update: Weld stores conversations there. Tomcat calls it once more when the request has left the
 * web application, which is then not passed on. Thread-safe.
 */
final class RequestListeners {
  private static final Logger LOG = LoggerFactory.getLogger(RequestListeners.class);
  private static final String SERVLETS = ServletRequestListener.class.getPackageName();

  private final ReplicatedSessionManager manager;
  private final Context context;
  /** The request of this thread whose end the listeners know; null for none. */
  private final ThreadLocal<ServletRequest> ended = new ThreadLocal<>();
  /** The request of this thread that has begun before this replica knew its session; null for none. */
  private final ThreadLocal<ServletRequest> early = new ThreadLocal<>();
  /** Tomcat calls it last at the end of a request; null without listeners. */
  private volatile Guard first;

  RequestListeners(ReplicatedSessionManager manager, Context context) {
    this.manager = manager;
    this.context = context;
  }

  /**
   * Stands between Tomcat and the listeners that the web application has, until {@link #remove}. Called when the web application has
   * started, because parts of it may look for their listeners until then.
   */
  void install() {
    replace(listener -> listener instanceof ServletRequestListener ? new Guard(listener).proxy() : listener);
  }

  /** Gives Tomcat the listeners themselves again: it looks for annotations of their classes when the web application stops. */
  void remove() {
    replace(
        listener ->
            Proxy.isProxyClass(listener.getClass()) && Proxy.getInvocationHandler(listener) instanceof Guard guard
                ? guard.listener : listener);
    first = null;
  }

  private void replace(UnaryOperator<Object> replacement) {
    context.setApplicationEventListeners(Stream.of(context.getApplicationEventListeners()).map(replacement).toArray());
  }

  /** Calls {@code requestDestroyed} of all listeners, unless they know the end of the request. */
  void end(ServletRequest request) {
    if (first != null && ended.get() != request) {
      context.fireRequestDestroyEvent(request);
      ended.set(request);
    }
  }

  /** The same after a stored answer: they cannot change the session. */
  void endRepeated(ServletRequest request) {
    Run before = manager.runs().begin(Run.NONE);
    try {
      end(request);
    } finally {
      manager.runs().end(before);
    }
  }

  /** Calls {@code requestInitialized} of all listeners that know the end of the request: it goes on with a page for an error. */
  void goOn(ServletRequest request) {
    if (ended.get() == request) {
      context.fireRequestInitEvent(request);
    }
  }

  /**
   * Calls {@code requestInitialized} of all listeners, for a request that runs again and whose end they know.
   *
   * @return false when a listener has thrown, as Tomcat has logged: the web application is not called then
   */
  boolean begin(ServletRequest request) {
    return context.fireRequestInitEvent(request);
  }

  /**
   * Whether the listeners could not see the request's session when it began, because this replica did not know it yet. Frameworks keep
   * what they have seen.
   */
  boolean haveMissedSession(HttpServletRequest request) {
    boolean missed = early.get() == request && manager.isKnown(request.getRequestedSessionId());
    early.remove();
    return missed;
  }

  /**
   * Lets the listeners know the end of a request that runs again, and its beginning.
   *
   * @return false when a listener has thrown, as Tomcat has logged: the web application is not called then
   */
  boolean beginAgain(ServletRequest request) {
    end(request);
    return begin(request);
  }

  /** Passes everything on to one listener, but for a second end of a request. */
  private final class Guard implements InvocationHandler {
    private final Object listener;

    Guard(Object listener) {
      this.listener = listener;
      first = first == null ? this : first;
    }

    /** Has those of the listener's interfaces by which Tomcat knows it. */
    Object proxy() {
      Set<Class<?>> interfaces = new LinkedHashSet<>();
      for (Class<?> type = listener.getClass(); type != null; type = type.getSuperclass()) {
        add(type, interfaces);
      }
      return Proxy.newProxyInstance(ServletRequestListener.class.getClassLoader(), interfaces.toArray(new Class<?>[0]), this);
    }

    private static void add(Class<?> type, Set<Class<?>> interfaces) {
      for (Class<?> each : type.getInterfaces()) {
        if (each.getPackageName().startsWith(SERVLETS)) {
          interfaces.add(each);
        }
        add(each, interfaces);
      }
    }

    @Override
    public Object invoke(Object proxy, Method method, Object[] arguments) throws Throwable {
      if (arguments != null && arguments.length == 1 && arguments[0] instanceof ServletRequestEvent event
          && method.getDeclaringClass() == ServletRequestListener.class) {
        if (method.getName().equals("requestInitialized")) {
          ended.remove();
          lookForSession((HttpServletRequest) event.getServletRequest());
        } else if (ended.get() == event.getServletRequest()) {
          if (first == this) {
            ended.remove();
          }
          return null;
        } else if (manager.runs().current() == null && manager.isReplicated()) {
          endLate((ServletRequestListener) listener, event);
          return null;
        }
      }
      return pass(method, arguments);
    }

    private void lookForSession(HttpServletRequest request) {
      if (first == this) {
        early.remove();
      }
      String id = request.getRequestedSessionId();
      if (id != null && manager.isReplicated() && !manager.isKnown(id)) {
        early.set(request);
      }
    }

    /**
     * Of an asynchronous request, or after a page for an error: what the listener changes in the session is an update of its own. After a
     * conflict it is undone, and the listener hears of a beginning and an end again.
     */
    private void endLate(ServletRequestListener called, ServletRequestEvent event) {
      HttpServletRequest request = (HttpServletRequest) event.getServletRequest();
      try (LateRun run = new LateRun(manager, request, null)) {
        called.requestDestroyed(event);
        Failure failure = run.store();
        while (run.isOvertaken()) {
          manager.statistics().repeatedRun();
          called.requestInitialized(event);
          called.requestDestroyed(event);
          failure = run.store();
        }
        if (failure != null) {
          LOG.warn(
              "What {} has changed in the session at the end of {} {} is lost: {}",
              called.getClass().getName(), request.getMethod(), request.getRequestURI(), failure.sentence());
        }
      }
    }

    private Object pass(Method method, Object[] arguments) throws Throwable {
      try {
        return method.invoke(listener, arguments);
      } catch (InvocationTargetException e) {
        throw e.getCause();
      }
    }
  }
}
