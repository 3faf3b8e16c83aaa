package org.understudy.durability.compiler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The generated sources are those in {@code src/test/resources/golden}. {@code -Dunderstudy.write.golden=true} writes them, to be read
 * before they are committed.
 */
class GoldenSourcesTest {
  private static final Path GOLDEN = Path.of("src/test/resources/golden");

  @ParameterizedTest
  @ValueSource(strings = {"replication", "captured", "mixed", "database"})
  void theSourcesAreThoseThatWereRead(String mapping) throws Exception {
    List<GeneratedSource> sources = DurabilityCompiler.compile(GeneratedShop.mapping(mapping), GeneratedShop.classPath());
    Path directory = GOLDEN.resolve(mapping);
    for (GeneratedSource source : sources) {
      Path file = directory.resolve(source.className().substring(source.className().lastIndexOf('.') + 1) + ".java");
      if (Boolean.getBoolean("understudy.write.golden")) {
        Files.createDirectories(directory);
        Files.writeString(file, source.text());
      }
      assertEquals(Files.readString(file), source.text(), file.toString());
    }
    try (Stream<Path> files = Files.list(directory)) {
      assertEquals(sources.size(), files.count());
    }
    assertTrue(sources.stream().allMatch(each -> each.text().lines().noneMatch(line -> line.length() > 140)), "long lines");
  }
}
