package org.understudy.test.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * Whether programs can be interrupted. They inherit it when a build ignores SIGINT, as under {@code nohup}, behind {@code &} in a script
 * and on some build servers. Neither Java nor bash can undo that for a program that they start; other programs can.
 */
final class Interrupts {
  /** SIGINT in the mask of ignored signals. */
  private static final long SIGINT = 1 << 1;

  /** Each restores the default and becomes the program whose words follow. Python ignores SIGPIPE for itself. */
  private static final List<List<String>> RESTORING = List.of(
      List.of("env", "--default-signal=INT"),
      List.of("perl", "-e", "$SIG{INT} = 'DEFAULT'; exec {$ARGV[0]} @ARGV or exit 127"),
      List.of("python3", "-c", "import os, signal, sys\n"
          + "for name in (signal.SIGINT, signal.SIGPIPE): signal.signal(name, signal.SIG_DFL)\n"
          + "os.execvp(sys.argv[1], sys.argv[1:])"));

  /** Null where SIGINT is ignored and no program restores it. */
  private static final List<String> PREFIX = areIgnored() ? restoring(RESTORING) : List.of();

  private Interrupts() {}

  /** Returns a command whose program can be interrupted, or the command itself where that is impossible. */
  static List<String> permittedIn(List<String> command) {
    return PREFIX == null ? command : Stream.concat(PREFIX.stream(), command.stream()).toList();
  }

  /** @throws AssertionError where programs inherit that SIGINT is ignored */
  static void assertPermitted() {
    if (PREFIX == null) {
      throw new AssertionError("This build ignores SIGINT, so the programs that it starts do too. Run it in the foreground, or install"
          + " coreutils 8.31, perl or python3, which restore the default.");
    }
  }

  /** Returns the first that works here, or null. */
  static List<String> restoring(List<List<String>> prefixes) {
    return prefixes.stream().filter(Interrupts::works).findFirst().orElse(null);
  }

  private static boolean works(List<String> prefix) {
    List<String> command = new ArrayList<>(prefix);
    command.add("true");
    try {
      return new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(ProcessBuilder.Redirect.DISCARD).start().waitFor() == 0;
    } catch (IOException e) {
      return false;
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The virtual machine handles SIGINT unless the process ignores it since its start. Without Linux's {@code /proc}: as by default. */
  private static boolean areIgnored() {
    try (Stream<String> lines = Files.lines(Path.of("/proc/self/status"))) {
      return lines.filter(line -> line.startsWith("SigIgn:"))
          .anyMatch(line -> (Long.parseUnsignedLong(line.substring(line.indexOf(':') + 1).strip(), 16) & SIGINT) != 0);
    } catch (IOException e) {
      return false;
    }
  }

  /** For a test of each. */
  static List<List<String>> all() {
    return RESTORING;
  }
}
