package org.understudy.structure;

import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** The classes of all modules, as they are compiled. */
final class CompiledModules {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

  private CompiledModules() {}

  /** @param expected classes below org.understudy that are certainly among them, so that a rule cannot pass on nothing */
  static JavaClasses of(String... expected) throws IOException {
    try (Stream<Path> directories = Files.walk(ROOT, 2)) {
      List<Path> compiled =
          directories
              .filter(directory -> Files.isDirectory(directory.resolve("src/main/java")))
              .map(directory -> directory.resolve("target/classes"))
              .filter(Files::isDirectory)
              .toList();
      JavaClasses classes = new ClassFileImporter().importPaths(compiled);
      for (String name : expected) {
        assertTrue(classes.contain("org.understudy." + name), name + " is not compiled");
      }
      return classes;
    }
  }
}
