package org.understudy.replication.simulation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.understudy.replication.core.Rule;
import org.understudy.replication.core.primarybackup.PrimaryBackup;

/** The stories in {@code src/test/resources/scenarios}. */
class ScenarioTest {
  static List<Path> stories() throws IOException {
    try (Stream<Path> files = Files.list(Path.of("src/test/resources/scenarios"))) {
      return files.sorted().toList();
    }
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("stories")
  void endsWithTheConfiguredReason(Path story) throws IOException {
    assertEquals(List.of(), Scenario.play(Files.readAllLines(story), new PrimaryBackup(), Rule.ALL));
  }

  @Test
  void deviationsAreDetected() {
    List<String> wrong = List.of("replicas 3", "client A adds 5 and is told 6");
    List<String> failures = Scenario.play(wrong, new PrimaryBackup(), Rule.ALL);
    assertEquals("at: client A adds 5 and is told 6", failures.get(1));
    assertFalse(failures.get(0).isEmpty());
    List<String> impatient = List.of("replicas 3", "client A adds 5", "client A is told nothing for 900 ms");
    assertFalse(Scenario.play(impatient, new PrimaryBackup(), Rule.ALL).isEmpty());
  }

  @Test
  void invalidLineIsRefused() {
    List<String> lines = List.of("replicas 3", "the primary sings");
    assertThrows(IllegalArgumentException.class, () -> Scenario.play(lines, new PrimaryBackup(), Rule.ALL));
  }
}
