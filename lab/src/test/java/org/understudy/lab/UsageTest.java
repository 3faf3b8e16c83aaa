package org.understudy.lab;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.understudy.lab.attack.AttackCommand;
import org.understudy.lab.compare.Compare;
import org.understudy.lab.demo.Demo;
import org.understudy.lab.durability.DurabilityBench;
import org.understudy.lab.group.GroupBench;
import org.understudy.lab.notify.NotifyBench;
import org.understudy.lab.report.InvalidArguments;
import org.understudy.lab.session.SessionBench;
import org.understudy.lab.torture.TortureCommand;
import org.understudy.lab.transfer.TransferBench;
import org.understudy.test.process.Outcome;
import org.understudy.test.process.Program;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;

/** The scripts print their help from {@code scripts/usage}, without a build and a JVM; it is what the programs print. */
class UsageTest {
  @ParameterizedTest
  @ValueSource(
      classes = {
        AttackCommand.class, Compare.class, Demo.class, DurabilityBench.class, GroupBench.class, NotifyBench.class, SessionBench.class,
        TortureCommand.class, TransferBench.class
      })
  void fileMatchesTheProgramsOutput(Class<?> program) throws IOException {
    CommandLine line = new CommandLine(program);
    String usage = line.getUsageMessage(Ansi.OFF);
    Path file = Path.of("..").resolve(line.getCommandName().replace("scripts/", "scripts/usage/"));
    assertEquals(usage, Files.readString(file), "Write the program's usage into " + file + ".");
  }

  @Test
  void anInvalidArgumentIsReportedInOneLine() {
    for (Object program : List.of(new GroupBench(), new SessionBench(), new TransferBench())) {
      StringWriter errors = new StringWriter();
      CommandLine line = new CommandLine(program).setParameterExceptionHandler(new InvalidArguments()).setErr(new PrintWriter(errors));
      assertEquals(2, line.execute("--cluster", "x", "--no-such-option"));
      String script = line.getCommandName();
      assertEquals(
          script.replace("scripts/", "") + ": Unknown option: '--no-such-option'; see " + script + " --help.", errors.toString().strip());
    }
  }

  static List<String> scripts() throws IOException {
    try (Stream<Path> files = Files.list(Path.of("../scripts"))) {
      return files.filter(Files::isExecutable).filter(Files::isRegularFile).map(file -> file.getFileName().toString()).sorted().toList();
    }
  }

  /** In a copy in which nothing can be built, in any place of the command line. */
  @ParameterizedTest
  @MethodSource("scripts")
  void helpNeedsNoBuild(String script, @TempDir Path elsewhere) throws Exception {
    Path scripts = Files.createDirectory(elsewhere.resolve("scripts"));
    try (Stream<Path> files = Files.walk(Path.of("../scripts"))) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        Path copy = scripts.resolve(Path.of("../scripts").relativize(file));
        Files.createDirectories(copy.getParent());
        Files.copy(file, copy, StandardCopyOption.COPY_ATTRIBUTES);
      }
    }
    Path usage = Path.of("../scripts/usage").resolve(script);
    List<String> words = script.equals("lab") ? List.of("demo", "any.Program") : List.of();
    for (List<String> before : List.of(words, Stream.concat(words.stream(), Stream.of("create")).toList())) {
      List<String> command = new ArrayList<>(List.of(scripts.resolve(script).toString()));
      command.addAll(before);
      command.add("--help");
      Outcome help = Program.run(elsewhere, Duration.ofMinutes(1), command);
      assertEquals(0, help.status(), help.out());
      assertTrue(help.out().contains("scripts/" + script) || script.equals("lab"), help.out());
      if (Files.exists(usage)) {
        assertEquals(Files.readString(usage), help.out());
      }
    }
    try (Stream<Path> made = Files.list(elsewhere)) {
      assertEquals(List.of(scripts), made.toList());
    }
  }
}
