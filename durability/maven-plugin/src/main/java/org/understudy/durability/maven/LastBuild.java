package org.understudy.durability.maven;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** What an execution of the goal generated in the build before, so that a class that a mapping does not name any more is deleted. */
final class LastBuild {
  /** Every generated class names a class of this package. */
  private static final String PROXIES = "org/understudy/durability/proxy/";

  private final Path list;

  /** @param list of the names of classes; another one for each execution */
  LastBuild(Path list) {
    this.list = list;
  }

  /** Deletes the sources and classes of names that are not among these, and keeps these for the next build. */
  void replace(Set<String> names, Path sources, Path classes) throws IOException {
    Set<String> stale = new TreeSet<>(Files.exists(list) ? Files.readAllLines(list) : List.of());
    stale.removeAll(names);
    for (String name : stale) {
      String path = name.replace('.', '/');
      if (Files.deleteIfExists(sources.resolve(path + ".java"))) {
        deleteClasses(classes.resolve(path + ".class"));
      }
    }
    Files.createDirectories(list.getParent());
    Files.write(list, new TreeSet<>(names));
  }

  private static void deleteClasses(Path file) throws IOException {
    if (!Files.isDirectory(file.getParent())) {
      return;
    }
    String name = String.valueOf(file.getFileName()).replace(".class", "");
    try (DirectoryStream<Path> files = Files.newDirectoryStream(file.getParent(), name + "{,$*}.class")) {
      for (Path each : files) {
        // A class that the user has written since has the name.
        if (new String(Files.readAllBytes(each), StandardCharsets.ISO_8859_1).contains(PROXIES)) {
          Files.delete(each);
        }
      }
    }
  }
}
