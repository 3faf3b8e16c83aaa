package org.understudy.firststeps;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.understudy.test.process.Outcome;
import org.understudy.test.process.Program;

/** A project is generated from each archetype, and passes its own test: three replicas, of which the primary is killed. */
@Timeout(900)
class ArchetypeIT {
  @TempDir Path empty;

  @ParameterizedTest
  @ValueSource(strings = {"war", "client", "spring-boot"})
  void theGeneratedProjectPassesItsTest(String archetype) throws Exception {
    BuiltArtifacts artifacts = new BuiltArtifacts();
    run(
        artifacts, empty, "org.apache.maven.plugins:maven-archetype-plugin:3.4.0:generate", "-DarchetypeGroupId=org.understudy",
        "-DarchetypeArtifactId=understudy-archetype-" + archetype, "-DarchetypeVersion=" + artifacts.version(),
        "-DarchetypeCatalog=internal", "-DinteractiveMode=false", "-DgroupId=com.example", "-DartifactId=shop", "-Dversion=1.0",
        "-Dpackage=com.example.shop");
    String verified = run(artifacts, empty.resolve("shop"), "verify", "-DargLine=" + BuiltArtifacts.OPTIONS);
    assertTrue(verified.contains("Tests run: 1, Failures: 0, Errors: 0, Skipped: 0"), verified);
  }

  private static String run(BuiltArtifacts artifacts, Path directory, String... arguments) throws Exception {
    List<String> words = new ArrayList<>(List.of("env"));
    artifacts.environment().forEach((name, value) -> words.add(name + "=" + value));
    words.addAll(List.of("mvn", "-B", "-ntp"));
    words.addAll(List.of(arguments));
    Outcome outcome = Program.run(directory, Duration.ofMinutes(5), words);
    assertEquals(0, outcome.status(), outcome.out());
    return outcome.out();
  }
}
