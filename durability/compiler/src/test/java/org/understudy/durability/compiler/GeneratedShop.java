package org.understudy.durability.compiler;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.File;
import java.io.StringWriter;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.URISyntaxException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;
import org.understudy.durability.proxy.DurableService;
import org.understudy.durability.proxy.SqlDatabase;
import org.understudy.replication.api.ResourceHome;

/** Generates the durable shop of a mapping, compiles it as Java does with all warnings, and calls it. */
final class GeneratedShop {
  private final Class<?> type;
  private final DurableService service;

  private GeneratedShop(Class<?> type, DurableService service) {
    this.type = type;
    this.service = service;
  }

  static List<Path> classPath() {
    return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator)).map(Path::of).toList();
  }

  static Path mapping(String name) {
    try {
      return Path.of(GeneratedShop.class.getResource("/mappings/" + name + ".xml").toURI());
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Compiles sources and returns the first class. A warning is an error. */
  static Class<?> compiled(List<GeneratedSource> sources, Path directory) throws Exception {
    return compiled(sources, directory, directory);
  }

  /** The same, with other classes of the service. */
  static Class<?> compiled(List<GeneratedSource> sources, Path directory, Path service) throws Exception {
    JavaCompiler javac = ToolProvider.getSystemJavaCompiler();
    List<File> files = new ArrayList<>();
    for (GeneratedSource source : sources) {
      files.add(source.writeTo(directory.resolve("sources")).toFile());
    }
    StringWriter output = new StringWriter();
    Path classes = directory.resolve("classes");
    classes.toFile().mkdirs();
    List<String> options = List.of(
        "--release", "17", "-Xlint:all,-classfile,-path", "-Werror", "-proc:none", "-parameters", "-d", classes.toString(),
        "-classpath", service + File.pathSeparator + System.getProperty("java.class.path"));
    boolean done = javac.getTask(
        output, null, null, options, null, javac.getStandardFileManager(null, null, null).getJavaFileObjectsFromFiles(files)).call();
    assertEquals("", output.toString());
    assertEquals(true, done);
    URL[] urls = {classes.toUri().toURL(), service.toUri().toURL()};
    URLClassLoader loader = new URLClassLoader(urls, GeneratedShop.class.getClassLoader());
    return Class.forName(sources.get(0).className(), false, loader);
  }

  static Class<?> compiled(String mapping, Path directory) throws Exception {
    return compiled(DurabilityCompiler.compile(mapping(mapping), classPath()), directory);
  }

  /** Makes the service; a service without database objects has no use for the database. */
  static GeneratedShop of(Class<?> type, ResourceHome<?> home, SqlDatabase database) throws Exception {
    for (Constructor<?> constructor : type.getDeclaredConstructors()) {
      constructor.setAccessible(true);
      if (constructor.getParameterCount() == 2) {
        return new GeneratedShop(type, (DurableService) constructor.newInstance(home, database));
      }
    }
    return new GeneratedShop(type, (DurableService) type.getDeclaredConstructors()[0].newInstance(home));
  }

  DurableService service() {
    return service;
  }

  /** Calls an operation, and throws what it throws. */
  Object call(String operation, Object... arguments) throws Exception {
    for (Method method : type.getMethods()) {
      if (method.getName().equals(operation) && method.getParameterCount() == arguments.length) {
        try {
          return method.invoke(service, arguments);
        } catch (InvocationTargetException e) {
          if (e.getCause() instanceof Exception thrown) {
            throw thrown;
          }
          throw e;
        }
      }
    }
    throw new NoSuchMethodException(operation);
  }
}
