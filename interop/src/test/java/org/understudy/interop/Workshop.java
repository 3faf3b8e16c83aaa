package org.understudy.interop;

import static org.junit.jupiter.api.Assertions.fail;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;

/** Where a client of another maker is made: a directory under {@code target}, and the maker's tools. */
final class Workshop {
  private static final boolean REQUIRED = Boolean.getBoolean("interop.required");
  private static final int MOST_MINUTES = 5;

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

  /** A program of the Java that runs this. */
  static String java(String program) {
    return Path.of(System.getProperty("java.home"), "bin", program).toString();
  }

  Path path(String name) {
    return directory.resolve(name);
  }

  /** Runs a tool in the directory; its failure is the test's. */
  void run(String... command) throws IOException, InterruptedException {
    Said said = said(command);
    if (said.status != 0) {
      fail(String.join(" ", command) + " failed:\n" + said.text);
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
    Said said = said(command);
    if (said.status != 0) {
      unavailable("What " + list.getFileName() + " names was not fetched; is there a network?\n" + said.text);
    }
    Files.writeString(mark, wanted);
  }

  private record Said(int status, String text) {}

  private Said said(String... command) throws IOException, InterruptedException {
    Path log = path("tool.log");
    Process process = new ProcessBuilder(List.of(command))
        .directory(directory.toFile()).redirectErrorStream(true).redirectOutput(log.toFile()).start();
    if (!process.waitFor(MOST_MINUTES, TimeUnit.MINUTES)) {
      process.destroyForcibly();
      fail(String.join(" ", command) + " did not end within " + MOST_MINUTES + " minutes:\n" + Files.readString(log));
    }
    return new Said(process.exitValue(), Files.readString(log));
  }
}
