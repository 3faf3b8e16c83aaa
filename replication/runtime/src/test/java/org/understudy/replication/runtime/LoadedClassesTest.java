package org.understudy.replication.runtime;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.OutputStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
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
