package org.understudy.test.repetition;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RepetitionCommandTest {
  @Test
  void methodOfOneStrategyIsNamed() {
    assertEquals(
        "mvn -pl container-plugin -am -Dtest='SharesTest#oneClient' -Dunderstudy.test.strategy=group"
            + " -Dsurefire.failIfNoSpecifiedTests=false test",
        RepetitionCommand.of(Path.of("container-plugin"), "org.understudy.SharesTest", "oneClient", "group"));
  }

  @Test
  void testOfProcessesRunsWithFailsafe() {
    assertEquals(
        "mvn -pl lab/tests -am -Dtest=None -Dit.test='DemoIT' -Dsurefire.failIfNoSpecifiedTests=false"
            + " -Dfailsafe.failIfNoSpecifiedTests=false verify",
        RepetitionCommand.of(Path.of("lab", "tests"), "org.understudy.lab.DemoIT$Nested", "", ""));
  }

  @Test
  void moduleIsNamedFromTheProject(@TempDir Path project) throws Exception {
    Path module = Files.createDirectories(project.resolve("lab/tests"));
    Files.createFile(project.resolve("pom.xml"));
    Files.createFile(module.resolve("pom.xml"));
    assertEquals(Path.of("lab", "tests"), RepetitionCommand.module(module));
  }
}
