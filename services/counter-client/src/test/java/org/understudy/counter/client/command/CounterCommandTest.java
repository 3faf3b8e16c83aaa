package org.understudy.counter.client.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class CounterCommandTest {
  private record Said(int status, String out, String err) {}

  @TempDir private Path directory;

  private static Said say(String... words) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    CommandLine line = CounterCommand.commandLine();
    line.setOut(new PrintWriter(out, true));
    line.setErr(new PrintWriter(err, true));
    return new Said(line.execute(words), out.toString(), err.toString());
  }

  private static void refused(int status, String why, String... words) {
    Said said = say(words);
    assertEquals(status, said.status(), said.err());
    assertTrue(said.err().startsWith("counter: ") && said.err().contains(why), said.err());
    assertEquals(1, said.err().lines().count(), said.err());
  }

  @Test
  void helpTellsTheCommandsAndEachCommandItsOptions() {
    Said help = say("--help");
    assertEquals(0, help.status());
    for (String command : List.of("create", "add", "get", "watch", "destroy")) {
      assertTrue(help.out().contains("\n  " + command + " "), help.out());
      Said own = say(command, "--help");
      assertEquals(0, own.status());
      assertTrue(own.out().startsWith("Usage: scripts/counter " + command), own.out());
      assertTrue(own.out().contains("--epr=FILE"), own.out());
    }
    assertTrue(say("watch", "--help").out().contains("--times"));
  }

  @Test
  void invalidCommandLineIsRefusedWithOneLine() {
    refused(2, "'fly'", "fly");
    refused(2, "'N'", "add");
    refused(2, "'x' is not an int", "add", "x");
    refused(2, "'99999999999' is not an int", "add", "99999999999");
    refused(2, "--bogus", "get", "--bogus");
    refused(2, "--times is from 1", "watch", "--times", "0");
    refused(2, "--port is from 0 to 65535, not 70000", "watch", "--port", "70000");
    refused(2, "--lifetime is from 2", "watch", "--lifetime", "1");
  }

  @Test
  void impossibleCommandIsReportedInOneLine() {
    String none = directory.resolve("none").toString();
    refused(1, "The file " + none + " does not exist", "get", "--epr", none);
    refused(1, "The file " + none + " does not exist", "watch", "--epr", none);
    refused(1, "The file " + none + " does not exist", "add", "-3", "--epr", none);
    refused(1, "must be an http or https URL without a fragment, not nonsense", "create", "--service", "nonsense", "--epr", none);
  }
}
