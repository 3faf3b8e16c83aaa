package org.understudy.lab.durability;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.jar.JarFile;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.understudy.lab.durability.counter.CounterService;

class CounterArchiveTest {
  private static final String PACKAGE = CounterService.class.getPackageName().replace('.', '/');

  @TempDir Path root;

  @BeforeEach
  void build() throws IOException {
    Path war = root.resolve("services/matchmaker/target/matchmaker.war");
    Files.createDirectories(war.getParent());
    try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(war))) {
      for (String name :
          List.of("META-INF/context.xml", "WEB-INF/classes/Matchmaker.class", "WEB-INF/lib/plugin.jar", "WEB-INF/web.xml")) {
        zip.putNextEntry(new ZipEntry(name));
        zip.closeEntry();
      }
    }
  }

  @Test
  void theArchiveHasTheCountersAndTheLibraries() throws IOException {
    Path generated = Files.createDirectories(root.resolve("lab/target/classes").resolve(PACKAGE).resolve("pb"));
    Files.createFile(generated.resolve("CounterService.class"));
    Files.createFile(generated.resolveSibling("CounterService.class"));
    Path archive = root.resolve("counters.war");
    CounterArchive.write(root, archive);
    try (JarFile jar = new JarFile(archive.toFile())) {
      assertEquals(
          Set.of("META-INF/context.xml", "WEB-INF/lib/plugin.jar", "WEB-INF/web.xml",
              "WEB-INF/classes/" + PACKAGE + "/CounterService.class",
              "WEB-INF/classes/" + PACKAGE + "/pb/CounterService.class"),
          new TreeSet<>(jar.stream().map(ZipEntry::getName).toList()));
      String descriptor = new String(jar.getInputStream(jar.getEntry("WEB-INF/web.xml")).readAllBytes(), StandardCharsets.UTF_8);
      assertTrue(descriptor.contains("<param-value>org.understudy.lab.durability.counter.${counter.mapping}.CounterService<"), descriptor);
    }
  }

  @Test
  void aMissingBuildIsReported() {
    IOException failure = assertThrows(IOException.class, () -> CounterArchive.write(root, root.resolve("counters.war")));
    assertTrue(failure.getMessage().contains("mvn -DskipTests package"), failure.getMessage());
  }

  /** The mappings that the bench and the torture select by a system property. */
  @Test
  void theBuildHasGeneratedAServiceForEachMapping() throws Exception {
    Set<String> mappings = new TreeSet<>(Set.of("twice"));
    for (CounterSetup setup : CounterSetup.values()) {
      mappings.add(setup.form().mapping());
    }
    for (String mapping : mappings) {
      Class.forName(CounterService.class.getPackageName() + "." + mapping + ".CounterService");
    }
  }
}
