package org.understudy.lab.durability;

import java.io.IOException;
import java.net.URI;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The web archive of the Matchmaker for mappings with a database, which the sample's own archive lacks. */
final class Archive {
  private Archive() {}

  /** The sample's own archive. */
  static Path ofSample(Path root) {
    return root.resolve("services/matchmaker/target/matchmaker.war");
  }

  /**
   * Writes a copy of the sample's archive that contains the module of databases and the driver of H2.
   *
   * @param root the directory of the project, which is built
   * @throws IOException when something of the build is missing, too
   */
  static void withDatabase(Path root, Path archive) throws IOException {
    Path module = root.resolve("durability/database/target");
    List<Path> jars = new ArrayList<>(jars(module));
    jars.addAll(jars(module.resolve("lib")));
    if (jars.stream().noneMatch(jar -> jar.getFileName().toString().startsWith("h2-"))) {
      throw new IOException("The driver of H2 is not in " + module.resolve("lib") + "; run mvn package.");
    }
    Files.copy(ofSample(root), archive, StandardCopyOption.REPLACE_EXISTING);
    try (FileSystem zip = FileSystems.newFileSystem(URI.create("jar:" + archive.toUri()), Map.of())) {
      for (Path jar : jars) {
        Path entry = zip.getPath("WEB-INF/lib", jar.getFileName().toString());
        if (!Files.exists(entry)) {
          Files.copy(jar, entry);
        }
      }
    }
  }

  private static List<Path> jars(Path directory) throws IOException {
    if (!Files.isDirectory(directory)) {
      throw new IOException("There is no directory " + directory + "; run mvn package.");
    }
    try (Stream<Path> files = Files.list(directory)) {
      return files.filter(file -> file.toString().matches(".*(?<!-sources|-javadoc|-tests)\\.jar")).sorted().toList();
    }
  }
}
