package org.understudy.channel.jgroups;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.jgroups.logging.Log;
import org.understudy.replication.runtime.handshake.Disconnection;

/**
 * The log of JGroups' connections, where the end of one is no error: a member that dies ends them all. JGroups reports at ERROR that it
 * could not say goodbye to a member that is gone, and at WARN that TLS has found a connection cut. Thread-safe.
 */
final class ConnectionLog implements InvocationHandler {
  private static final String GOODBYE = "graceful close";
  private static final List<String> LOUD = List.of("error", "warn");

  private final Log log;

  private ConnectionLog(Log log) {
    this.log = log;
  }

  /** Returns a log that passes everything on to this one, and the ends of connections at DEBUG. */
  static Log of(Log log) {
    return (Log) Proxy.newProxyInstance(ConnectionLog.class.getClassLoader(), new Class<?>[] {Log.class}, new ConnectionLog(log));
  }

  @Override
  public Object invoke(Object proxy, Method method, Object[] arguments) throws Throwable {
    Method called = method;
    if (LOUD.contains(method.getName()) && isEnd(arguments)) {
      called = Log.class.getMethod("debug", method.getParameterTypes());
    }
    try {
      return called.invoke(log, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }

  private static boolean isEnd(Object[] arguments) {
    return arguments[0] instanceof String text && text.contains(GOODBYE)
        || Arrays.stream(arguments).flatMap(one -> one instanceof Object[] list ? Arrays.stream(list) : Stream.of(one))
            .anyMatch(one -> one instanceof Throwable failure && Disconnection.isCauseOf(failure));
  }
}
