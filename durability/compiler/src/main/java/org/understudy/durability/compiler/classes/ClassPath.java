package org.understudy.durability.compiler.classes;

import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * Loads classes of a service without executing them: no static initializer runs. The classes of this compiler are not visible to them,
 * so annotations are compared by name.
 */
public final class ClassPath implements Closeable {
  private final URLClassLoader loader;

  /** @param entries directories and jars; those that do not exist are ignored, as by the JVM */
  public ClassPath(List<Path> entries) {
    URL[] urls = entries.stream().map(ClassPath::url).toArray(URL[]::new);
    loader = new URLClassLoader("service", urls, ClassLoader.getPlatformClassLoader());
  }

  private static URL url(Path entry) {
    try {
      return entry.toUri().toURL();
    } catch (MalformedURLException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Finds a class by its name in the source, where a nested class is behind a dot.
   *
   * @throws LinkageError when the class needs another one that is not on the class path
   */
  public Optional<Class<?>> find(String name) {
    String candidate = name;
    while (true) {
      try {
        return Optional.of(Class.forName(candidate, false, loader));
      } catch (ClassNotFoundException e) {
        int dot = candidate.lastIndexOf('.');
        if (dot < 0) {
          return Optional.empty();
        }
        candidate = candidate.substring(0, dot) + "$" + candidate.substring(dot + 1);
      }
    }
  }

  @Override
  public void close() throws IOException {
    loader.close();
  }
}
