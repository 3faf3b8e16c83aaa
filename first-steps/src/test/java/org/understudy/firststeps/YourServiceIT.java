package org.understudy.firststeps;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.understudy.test.network.ClusterPorts;
import org.understudy.test.process.Outcome;
import org.understudy.test.process.Program;

/**
 * Runs {@code docs/your-service.md} in an empty directory, in one shell. Two things differ from what a reader does: the artifacts
 * of this build are laid out as the page's first command, {@code mvn install}, would leave them; and the group is at other ports,
 * where nothing else is.
 */
@Timeout(600)
class YourServiceIT {
  private static final Path PAGE = BuiltArtifacts.ROOT.resolve("docs/your-service.md");
  private static final String INSTALL = "mvn -DskipTests install\nexport UNDERSTUDY=$PWD\n";
  private static final String MARK = "---- step ";
  /** Before the number of a replica. */
  private static String port;

  @TempDir Path empty;

  @BeforeAll
  static void choosePort() throws Exception {
    port = Integer.toString(ClusterPorts.next() / 10);
  }

  @Test
  void everyCommandOfThePageDoesWhatThePageShows() throws Exception {
    assumeTrue(
        Stream.of(System.getenv("PATH").split(":")).anyMatch(directory -> Files.isExecutable(Path.of(directory, "curl"))),
        "curl, which the page uses, is not installed");
    List<Page.Step> steps = Page.read(PAGE).steps();
    assertEquals(new Page.Command(INSTALL, List.of()), steps.get(0), "the page begins with the installation");
    StringBuilder script = new StringBuilder("set -euo pipefail\n");
    for (int i = 1; i < steps.size(); i++) {
      script.append("echo '").append(MARK).append(i).append("'\n").append(script(steps.get(i)));
    }
    BuiltArtifacts artifacts = new BuiltArtifacts();
    Path file = Files.writeString(Path.of("target", "your-service.sh"), script).toAbsolutePath();
    try {
      Outcome outcome = run(artifacts, "bash", file.toString());
      assertEquals(0, outcome.status(), outcome.out());
      for (int i = 1; i < steps.size(); i++) {
        if (steps.get(i) instanceof Page.Command command) {
          verify(command, section(outcome.out(), i));
        }
      }
    } finally {
      run(artifacts, BuiltArtifacts.ROOT.resolve("scripts/cluster").toString(), "down", "--port", port + "0");
    }
  }

  private Outcome run(BuiltArtifacts artifacts, String... command) throws IOException, InterruptedException {
    List<String> words = new ArrayList<>(List.of("env"));
    artifacts.environment().forEach((name, value) -> words.add(name + "=" + value));
    words.addAll(List.of(command));
    return Program.run(empty, Duration.ofMinutes(5), words);
  }

  private static String script(Page.Step step) {
    if (step instanceof Page.NewFile file) {
      return "mkdir -p $(dirname '" + file.path() + "')\ncat > '" + file.path() + "' <<'END OF FILE'\n" + file.content()
          + "END OF FILE\n";
    }
    return atOurPort(((Page.Command) step).text()).replaceAll("(scripts/cluster [a-z]+)", "$1 --port " + port + "0");
  }

  private static String atOurPort(String text) {
    return text.replaceAll("\\b808(?=[123$])", port);
  }

  private static String section(String output, int step) {
    int begin = output.indexOf(MARK + step + "\n");
    assertTrue(begin >= 0, output);
    int end = output.indexOf(MARK, begin + 1);
    return output.substring(begin, end < 0 ? output.length() : end);
  }

  private static void verify(Page.Command command, String output) {
    int from = 0;
    for (String line : command.expected()) {
      int at = output.indexOf(atOurPort(line), from);
      assertTrue(at >= 0, "The page shows \"" + line + "\" for\n" + command.text() + "but the output is\n" + output);
      from = at + line.length();
    }
  }
}
