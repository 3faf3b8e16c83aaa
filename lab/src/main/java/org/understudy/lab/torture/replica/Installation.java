package org.understudy.lab.torture.replica;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/**
 * What a replica needs of this project.
 *
 * @param conf the folder with the options of the JVM and Tomcat's configuration
 * @param tomcat an unpacked Tomcat
 * @param archive the counter
 */
public record Installation(Path conf, Path tomcat, Path archive) {
  /**
   * Finds the results of the build.
   *
   * @param scripts the folder {@code scripts} of the project
   * @param tomcat an unpacked Tomcat, or null for the one that the build unpacks
   * @throws IOException when something is missing
   */
  public static Installation of(Path scripts, Path tomcat) throws IOException {
    Path root = scripts.toAbsolutePath().normalize().getParent();
    Path archive = root.resolve("services/counter/target/counter.war");
    Path server = tomcat == null ? unpacked(root.resolve("lab/target/tomcat")) : tomcat.toAbsolutePath();
    if (!Files.exists(archive) || !Files.exists(server.resolve("bin/bootstrap.jar"))) {
      throw new IOException(archive + " or a Tomcat in " + server + " is missing. Run mvn -DskipTests package.");
    }
    return new Installation(root.resolve("conf"), server, archive);
  }

  private static Path unpacked(Path folder) throws IOException {
    if (!Files.isDirectory(folder)) {
      return folder;
    }
    try (Stream<Path> files = Files.list(folder)) {
      return files.filter(Files::isDirectory).findFirst().orElse(folder);
    }
  }
}
