package org.understudy.structure;

import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** The compiled classes of all modules: neither generated ones nor those left over from an earlier build. */
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
      JavaClasses classes =
          new ClassFileImporter()
              .importPaths(compiled)
              .that(DescribedPredicate.describe("with a source of their own", CompiledModules::hasItsSource));
      for (String name : expected) {
        assertTrue(classes.contain("org.understudy." + name), name + " is not compiled");
      }
      return classes;
    }
  }

  private static boolean hasItsSource(JavaClass type) {
    String name = type.getName().replaceFirst("\\$.*", "").replace('.', '/');
    String file = Path.of(type.getSource().orElseThrow().getUri()).toString();
    Path module = Path.of(file.substring(0, file.indexOf("/target/classes/")));
    return Files.exists(module.resolve("src/main/java/" + name + ".java"));
  }
}
