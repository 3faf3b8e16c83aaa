package org.understudy.replication.runtime;

import java.io.IOException;
import java.net.URISyntaxException;
import java.net.URL;
import java.net.URLConnection;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.jar.JarInputStream;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.core.ReplicaCore;
import org.understudy.thread.DaemonThreads;

/**
 * Loads all classes of the protocol when the first replica of a process starts. The class loader of a web application opens its archives
 * anew for each class. Without that a replica that has no file descriptor left would halt at the first message of an election, because the
 * class that handles it cannot be loaded.
 */
final class LoadedClasses {
  private static final String PACKAGE = "org/understudy/";
  private static final String SUFFIX = ".class";
  private static final AtomicBoolean LOADED = new AtomicBoolean();
  private static final Logger LOG = LoggerFactory.getLogger(LoadedClasses.class);

  private LoadedClasses() {}

  /** Loads them once in a process. What cannot be found or loaded is left to its first use. */
  static void load() {
    if (!LOADED.compareAndSet(false, true)) {
      return;
    }
    long begin = System.nanoTime();
    int count = 0;
    for (Class<?> one : List.of(ReplicaId.class, DaemonThreads.class, ReplicaCore.class, Replica.class)) {
      count += load(one);
    }
    LOG.debug("{} classes were loaded in {} ms.", count, (System.nanoTime() - begin) / 1_000_000);
  }

  /**
   * Loads what is in the same archive or folder.
   *
   * @return the number of classes
   */
  static int load(Class<?> member) {
    int count = 0;
    for (String name : names(member)) {
      try {
        Class.forName(name, false, member.getClassLoader());
        count++;
      } catch (ClassNotFoundException | LinkageError e) {
        LOG.debug("The class {} is left to its first use.", name, e);
      }
    }
    return count;
  }

  private static List<String> names(Class<?> member) {
    CodeSource source = member.getProtectionDomain().getCodeSource();
    if (source == null || source.getLocation() == null) {
      return List.of();
    }
    try {
      URL location = source.getLocation();
      return location.getProtocol().equals("file") && Files.isDirectory(Path.of(location.toURI()))
          ? inFolder(Path.of(location.toURI()))
          : inArchive(location);
    } catch (IOException | URISyntaxException | RuntimeException e) {
      LOG.debug("The classes beside {} are left to their first use.", member, e);
      return List.of();
    }
  }

  private static List<String> inFolder(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      return files.map(file -> folder.relativize(file).toString().replace('\\', '/')).filter(LoadedClasses::isClass)
          .map(LoadedClasses::name).toList();
    }
  }

  private static List<String> inArchive(URL archive) throws IOException {
    List<String> names = new ArrayList<>();
    URLConnection connection = archive.openConnection();
    // An archive around it would stay open, in a cache of the whole process, and be read from there after it was replaced.
    connection.setUseCaches(false);
    try (JarInputStream in = new JarInputStream(connection.getInputStream())) {
      for (ZipEntry entry = in.getNextEntry(); entry != null; entry = in.getNextEntry()) {
        if (isClass(entry.getName())) {
          names.add(name(entry.getName()));
        }
      }
    }
    return names;
  }

  private static boolean isClass(String path) {
    return path.startsWith(PACKAGE) && path.endsWith(SUFFIX) && !path.endsWith("package-info" + SUFFIX);
  }

  private static String name(String path) {
    return path.substring(0, path.length() - SUFFIX.length()).replace('/', '.');
  }
}
