package org.understudy.structure;

import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** What holds for every module: packages have no cycles, a long class gives its reason, and no thread outlives its application. */
class ModuleStructureTest {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
  private static final int MAX_LINES = 400;
  private static final String REASON = "More than " + MAX_LINES + " lines because ";

  private static final Pattern TIMEOUTS = Pattern.compile("\\b(orTimeout|completeOnTimeout|delayedExecutor)\\(");

  private static final SliceAssignment PACKAGES =
      new SliceAssignment() {
        @Override
        public SliceIdentifier getIdentifierOf(JavaClass javaClass) {
          return SliceIdentifier.of(javaClass.getPackageName());
        }

        @Override
        public String getDescription() {
          return "packages";
        }
      };

  /** Directories of modules with sources of their own. */
  private static List<Path> modules() throws IOException {
    try (Stream<Path> directories = Files.walk(ROOT, 2)) {
      return directories.filter(directory -> Files.isDirectory(directory.resolve("src/main/java"))).sorted().toList();
    }
  }

  private static List<Path> sources(Path module) throws IOException {
    try (Stream<Path> files = Files.walk(module.resolve("src/main/java"))) {
      return files.filter(file -> file.toString().endsWith(".java")).sorted().toList();
    }
  }

  /** Neither generated nor left over from an earlier build. */
  private static DescribedPredicate<JavaClass> hasItsSourceIn(Path module) {
    return DescribedPredicate.describe(
        "with a source of its own",
        one -> {
          String outermost = one.getName().replaceFirst("\\$.*", "");
          return Files.exists(module.resolve("src/main/java/" + outermost.replace('.', '/') + ".java"));
        });
  }

  @Test
  void theModulesAreFound() throws IOException {
    List<String> names = modules().stream().map(module -> ROOT.relativize(module).toString()).toList();
    assertTrue(
        names.containsAll(List.of("soap", "replication/core", "notification", "wsrf", "container-plugin", "broker", "client-stub")),
        names.toString());
  }

  @TestFactory
  Stream<DynamicTest> packagesHaveNoCycles() throws IOException {
    return modules().stream().map(module -> dynamicTest(ROOT.relativize(module).toString(), () -> {
      Path classes = module.resolve("target/classes");
      assertTrue(Files.isDirectory(classes), "Not compiled: " + module + ". Build all modules.");
      JavaClasses own = new ClassFileImporter().importPath(classes).that(hasItsSourceIn(module));
      slices().assignedFrom(PACKAGES).should().beFreeOfCycles().allowEmptyShould(true).check(own);
    }));
  }

  @TestFactory
  Stream<DynamicTest> longClassesGiveTheirReason() throws IOException {
    return modules().stream().map(module -> dynamicTest(ROOT.relativize(module).toString(), () -> {
      List<Path> silent = sources(module).stream().filter(ModuleStructureTest::isLongWithoutReason).toList();
      assertEquals(List.of(), silent, "Split these, or say in the Javadoc \"" + REASON + "…\"");
    }));
  }

  /** The JDK starts one thread for all of them, which keeps the class loader of the web application that was the first to need it. */
  @TestFactory
  Stream<DynamicTest> noTimeoutIsLeftToTheThreadOfTheJdk() throws IOException {
    return modules().stream().filter(module -> !module.endsWith("test-parts")).map(module -> dynamicTest(module.toString(), () -> {
      List<Path> leaking = new ArrayList<>();
      for (Path source : sources(module)) {
        if (TIMEOUTS.matcher(Files.readString(source)).find()) {
          leaking.add(source);
        }
      }
      assertEquals(List.of(), leaking);
    }));
  }

  private static boolean isLongWithoutReason(Path source) {
    try {
      String text = Files.readString(source);
      // The Javadoc may break the sentence anywhere.
      return text.lines().filter(line -> !line.startsWith("import ")).count() > MAX_LINES
          && !text.replaceAll("\\s+\\*?\\s*", " ").contains(REASON);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
