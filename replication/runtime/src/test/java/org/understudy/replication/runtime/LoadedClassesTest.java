package org.understudy.replication.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;
import java.security.SecureClassLoader;
import java.security.cert.Certificate;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.understudy.replication.core.ReplicaCore;

class LoadedClassesTest {
  private static final String HANDLER = "org.understudy.replication.core.membership.Voter";

  @TempDir Path directory;

  /** A class loader that finds the core itself, and records what it has loaded. */
  private static final class Loader extends URLClassLoader {
    final List<String> loaded = new ArrayList<>();

    Loader(URL source) {
      super(new URL[] {source}, LoadedClassesTest.class.getClassLoader());
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      synchronized (getClassLoadingLock(name)) {
        if (!name.startsWith("org.understudy.replication.core.")) {
          return super.loadClass(name, resolve);
        }
        Class<?> known = findLoadedClass(name);
        if (known == null) {
          known = findClass(name);
          loaded.add(name);
        }
        return known;
      }
    }
  }

  @Test
  void classesOfAFolderAndOfAnArchiveAreLoaded() throws Exception {
    URL source = ReplicaCore.class.getProtectionDomain().getCodeSource().getLocation();
    assertLoaded(source);
    if (Files.isDirectory(Path.of(source.toURI()))) {
      assertLoaded(archive(Path.of(source.toURI())).toUri().toURL());
    }
  }

  /** A class loader whose classes come from an archive in another one, as those of a web application that is not unpacked. */
  private static final class NestedLoader extends SecureClassLoader {
    private final CodeSource source;

    NestedLoader(URL location) {
      this.source = new CodeSource(location, (Certificate[]) null);
    }

    Class<?> core() throws IOException {
      try (InputStream in = ReplicaCore.class.getResourceAsStream("ReplicaCore.class")) {
        byte[] bytes = in.readAllBytes();
        return defineClass(ReplicaCore.class.getName(), bytes, 0, bytes.length, source);
      }
    }
  }

  /** In the cache of the process the outer archive would stay open, and be read again after it was replaced. */
  @Test
  void theArchiveIsNotCached() throws Exception {
    Path inner = directory.resolve("core.jar");
    try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(inner))) {
      out.putNextEntry(new ZipEntry("org/understudy/replication/core/Role.class"));
    }
    Path outer = directory.resolve("application.war");
    try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(outer))) {
      out.putNextEntry(new ZipEntry("core.jar"));
      Files.copy(inner, out);
    }
    URL location = new URL("jar:" + outer.toUri() + "!/core.jar");
    assertEquals(1, LoadedClasses.load(new NestedLoader(location).core()));
    Files.delete(outer);
    assertThrows(IOException.class, location::openStream);
  }

  private static void assertLoaded(URL source) throws Exception {
    try (Loader loader = new Loader(source)) {
      Class<?> core = loader.loadClass(ReplicaCore.class.getName());
      assertFalse(loader.loaded.contains(HANDLER), "loaded before");
      assertTrue(LoadedClasses.load(core) > 100);
      assertTrue(loader.loaded.contains(HANDLER), HANDLER);
    }
  }

  private Path archive(Path folder) throws IOException {
    Path archive = directory.resolve("core.jar");
    try (OutputStream file = Files.newOutputStream(archive); JarOutputStream out = new JarOutputStream(file);
        Stream<Path> classes = Files.walk(folder)) {
      for (Path one : classes.filter(Files::isRegularFile).toList()) {
        out.putNextEntry(new ZipEntry(folder.relativize(one).toString()));
        Files.copy(one, out);
      }
    }
    return archive;
  }
}
