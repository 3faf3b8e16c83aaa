package org.understudy.durability.database;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;

import java.io.File;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.sql.DriverManager;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.understudy.test.Condition;

/** A web application has a class loader of its own, which a thread or a registered driver would keep in memory. */
class UndeploymentTest {
  @ParameterizedTest
  @EnumSource
  void aClosedDatabaseLeavesNothingOfItsWebApplication(TestServer server) throws Exception {
    DatabaseSettings here = server.up().settings(TestServer.name("group"));
    Map<String, String> keys = Map.of("understudy.database.url", here.url(), "understudy.database.user", here.user());
    List<URL> parts = new ArrayList<>();
    for (String part : System.getProperty("java.class.path").split(File.pathSeparator)) {
      parts.add(new File(part).toURI().toURL());
    }
    // Finds the drivers of the tests, once in a process.
    assertNotEquals(List.of(), Collections.list(DriverManager.getDrivers()));
    ClassLoader before = Thread.currentThread().getContextClassLoader();
    try (URLClassLoader application = new URLClassLoader(parts.toArray(URL[]::new), ClassLoader.getPlatformClassLoader())) {
      Thread.currentThread().setContextClassLoader(application);
      open(application, keys::get).close();
      Thread.currentThread().setContextClassLoader(before);
      Condition.await("the end of its threads: " + threads(application), () -> threads(application).isEmpty());
      Class<?> drivers = application.loadClass(Drivers.class.getName());
      assertNotSame(Drivers.class, drivers);
      Method registered = drivers.getDeclaredMethod("registered");
      registered.setAccessible(true);
      assertEquals(List.of(), registered.invoke(null));
    } finally {
      Thread.currentThread().setContextClassLoader(before);
    }
  }

  private static AutoCloseable open(ClassLoader application, UnaryOperator<String> keys) throws ReflectiveOperationException {
    Class<?> settings = application.loadClass(DatabaseSettings.class.getName());
    Method read = settings.getDeclaredMethod("of", UnaryOperator.class);
    read.setAccessible(true);
    Constructor<?> connections = application.loadClass(Connections.class.getName()).getDeclaredConstructor(settings);
    connections.setAccessible(true);
    return (AutoCloseable) connections.newInstance(read.invoke(null, keys));
  }

  private static List<String> threads(ClassLoader application) {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.isAlive() && thread.getContextClassLoader() == application)
        .map(Thread::getName)
        .toList();
  }

  /** Loaded by the application: a caller sees the drivers of its own class loader. */
  static final class Drivers {
    private Drivers() {}

    static List<String> registered() {
      return Collections.list(DriverManager.getDrivers()).stream()
          .filter(driver -> driver.getClass().getClassLoader() == Drivers.class.getClassLoader())
          .map(driver -> driver.getClass().getName())
          .toList();
    }
  }
}
