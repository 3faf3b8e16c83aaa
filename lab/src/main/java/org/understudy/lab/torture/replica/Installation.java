package org.understudy.lab.torture.replica;

import java.io.IOException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.understudy.lab.durability.CounterArchive;

/**
 * What a replica needs of this project.
 *
 * @param conf the folder with the options of the JVM and Tomcat's configuration
 * @param tomcat an unpacked Tomcat
 * @param archive the counter
 * @param libraries jars that the archive does not contain
 * @param options further options of the JVM
 */
public record Installation(Path conf, Path tomcat, Path archive, List<Path> libraries, List<String> options) {
  public Installation {
    libraries = List.copyOf(libraries);
    options = List.copyOf(options);
  }

  /**
   * Finds the results of the build.
   *
   * @param scripts the folder {@code scripts} of the project
   * @param tomcat an unpacked Tomcat, or null for the one that the build unpacks
   * @param channel the group channel, whose jars are libraries, or null for none that needs a jar
   * @throws IOException when something is missing
   */
  public static Installation of(Path scripts, Path tomcat, String channel) throws IOException {
    Path root = scripts.toAbsolutePath().normalize().getParent();
    Path archive = root.resolve("services/counter/target/counter.war");
    Path server = tomcat == null ? unpacked(root.resolve("lab/target/tomcat")) : tomcat.toAbsolutePath();
    if (!Files.exists(archive) || !Files.exists(server.resolve("bin/bootstrap.jar"))) {
      throw new IOException(archive + " or a Tomcat in " + server + " is missing. Run mvn -DskipTests package.");
    }
    return new Installation(root.resolve("conf"), server, archive,
        channel == null ? List.of() : libraries(root.resolve("channels").resolve(channel).resolve("target"), "channel " + channel),
        List.of());
  }

  /**
   * The same with the counter of {@code scripts/durability-bench} and a database.
   *
   * @param folder for the archive
   * @param mapping the durability mapping: the last part of the package of the generated service
   */
  public Installation withDatabase(Path scripts, Path folder, String mapping) throws IOException {
    Path root = scripts.toAbsolutePath().normalize().getParent();
    Path counters = folder.resolve("counters.war");
    CounterArchive.write(root, counters);
    return new Installation(conf, tomcat, counters, libraries(root.resolve("durability/database/target"), "database"),
        List.of("-D" + CounterArchive.MAPPING + "=" + mapping));
  }

  /**
   * Writes the archive with the libraries. They are compressed already.
   *
   * @param folder for it
   */
  Path complete(Path folder) throws IOException {
    Path complete = Files.copy(archive, folder.resolve("counter.war"));
    if (!libraries.isEmpty()) {
      try (FileSystem files = FileSystems.newFileSystem(complete, Map.of("noCompression", "true"))) {
        for (Path library : libraries) {
          Files.copy(library, files.getPath("WEB-INF/lib", library.getFileName().toString()), StandardCopyOption.REPLACE_EXISTING);
        }
      }
    }
    return complete;
  }

  private static List<Path> libraries(Path target, String module) throws IOException {
    if (!Files.isDirectory(target.resolve("lib"))) {
      throw new IOException("The jars of the " + module + " are missing in " + target + ". Run mvn -DskipTests package.");
    }
    List<Path> jars = new ArrayList<>();
    try (Stream<Path> own = Files.list(target); Stream<Path> dependencies = Files.list(target.resolve("lib"))) {
      Stream.concat(own, dependencies).filter(file -> file.toString().matches(".*(?<!-sources|-javadoc)\\.jar")).forEach(jars::add);
    }
    return jars;
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
