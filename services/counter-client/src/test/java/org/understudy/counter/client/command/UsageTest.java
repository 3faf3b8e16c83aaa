package org.understudy.counter.client.command;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import picocli.CommandLine.Help.Ansi;

/** {@code scripts/counter --help} prints a file, without a build and a JVM; it is what the program prints. */
class UsageTest {
  @Test
  void fileMatchesTheProgramsOutput() throws IOException {
    String usage = CounterCommand.commandLine().getUsageMessage(Ansi.OFF);
    Path file = Path.of("../../scripts/usage/counter");
    assertEquals(usage, Files.readString(file), "Write the program's usage into " + file + ".");
  }
}
