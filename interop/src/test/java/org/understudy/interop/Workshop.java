package org.understudy.interop;

import static org.junit.jupiter.api.Assertions.fail;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.understudy.test.process.Outcome;
import org.understudy.test.process.Program;

/** Where a client of another maker is made: a directory under {@code target}, and the maker's tools. */
final class Workshop {
  private static final boolean REQUIRED = Boolean.getBoolean("interop.required");
  private static final Duration PATIENCE = Duration.ofMinutes(5);

  private final Path directory;

  Workshop(String name) throws IOException {
    this.directory = Files.createDirectories(Path.of("target", name).toAbsolutePath());
  }

  /** Ends the test: skipped on a developer's machine, failed where every client has to run. */
  static void unavailable(String why) {
    if (REQUIRED) {
      fail(why);
    }
    Assumptions.abort(why);
  }

  /** Goes on only when the tools are on the path. */
  static void need(String install, String... tools) {
    for (String tool : tools) {
      boolean there = Stream.of(System.getenv("PATH").split(File.pathSeparator))
          .anyMatch(place -> Files.isExecutable(Path.of(place, tool)));
      if (!there) {
        unavailable("There is no " + tool + " on the path; install " + install + ".");
      }
    }
  }

  static Path source(String first, String... more) {
    return Path.of("src/test", Path.of(first, more).toString()).toAbsolutePath();
  }

  /** A command for a JVM that lives for seconds. */
  static List<String> java(String... words) {
    return command("java", "", words);
  }

  /** A command for the compiler, which lives for seconds as well. */
  static List<String> javac(String... words) {
    return command("javac", "-J", words);
  }

  private static List<String> command(String program, String prefix, String... words) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", program).toString());
    command.addAll(List.of(prefix + "-XX:TieredStopAtLevel=1", prefix + "-XX:+UseSerialGC"));
    command.addAll(List.of(words));
    return command;
  }

  Path path(String name) {
    return directory.resolve(name);
  }

  /** Runs a tool in the directory; its failure is the test's. */
  void run(String... command) throws IOException, InterruptedException {
    run(List.of(command));
  }

  /** Runs a tool in the directory; its failure is the test's. */
  void run(List<String> command) throws IOException, InterruptedException {
    Outcome outcome = outcome(command);
    if (outcome.status() != 0) {
      fail(String.join(" ", command) + " failed:\n" + outcome.out());
    }
  }

  /**
   * Fetches what a list of dependencies names, unless that list has been fetched already; without a network the test is
   * skipped.
   */
  void fetch(Path list, String... command) throws IOException, InterruptedException {
    Path mark = path("fetched");
    String wanted = Files.readString(list);
    if (Files.exists(mark) && Files.readString(mark).equals(wanted)) {
      return;
    }
    Outcome outcome = outcome(List.of(command));
    if (outcome.status() != 0) {
      unavailable("What " + list.getFileName() + " names was not fetched; is there a network?\n" + outcome.out());
    }
    Files.writeString(mark, wanted);
  }

  private Outcome outcome(List<String> command) throws IOException, InterruptedException {
    return Program.run(directory, PATIENCE, command);
  }
}
