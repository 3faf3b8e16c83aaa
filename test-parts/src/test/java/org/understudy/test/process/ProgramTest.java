package org.understudy.test.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ProgramTest {
  private static final Path HERE = Path.of(".");
  private static final Duration PATIENCE = Duration.ofMinutes(1);
  /** Prints a line and waits until its input ends. */
  private static final List<String> WAITING = List.of("bash", "-c", "echo ready; read -r || true");
  private static final int INTERRUPTED = 130;

  /** Interrupts a program, and ends with its status. */
  static final class Interrupting {
    private Interrupting() {}

    public static void main(String[] args) throws Exception {
      System.exit(interrupted(WAITING));
    }
  }

  private static int interrupted(List<String> command) throws Exception {
    try (Program program = Program.startMerged(HERE, PATIENCE, command)) {
      program.out().await("ready");
      program.interrupt();
      return program.end().status();
    }
  }

  private static List<String> ignoring(List<String> command) {
    List<String> words = new ArrayList<>(List.of("bash", "-c", "trap '' INT; exec \"$@\"", "bash"));
    words.addAll(command);
    return words;
  }

  @Test
  void aProgramIsInterrupted() throws Exception {
    assertEquals(INTERRUPTED, interrupted(WAITING));
  }

  @Test
  void aProgramIsInterruptedWhereTheBuildIgnoresInterrupts() throws Exception {
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    List<String> command =
        ignoring(List.of(java, "-cp", System.getProperty("java.class.path"), Interrupting.class.getName()));
    Outcome outcome = Program.run(HERE, PATIENCE, command);
    assertEquals(INTERRUPTED, outcome.status(), outcome.out());
  }

  static List<List<String>> restoring() {
    return Interrupts.all();
  }

  @ParameterizedTest
  @MethodSource("restoring")
  void eachRestoresTheDefaultAndBecomesTheProgram(List<String> restoring) throws Exception {
    assumeTrue(Interrupts.restoring(List.of(restoring)) != null, restoring.get(0) + " is missing or cannot restore the default here");
    List<String> command = new ArrayList<>(restoring);
    command.addAll(WAITING);
    assertEquals(INTERRUPTED, interrupted(ignoring(command)));
  }

  @Test
  void theFirstThatWorksIsTaken() {
    List<String> works = List.of("env");
    assertEquals(works, Interrupts.restoring(List.of(List.of("no-such-program"), List.of("env", "--no-such-option"), works)));
    assertNull(Interrupts.restoring(List.of(List.of("no-such-program"))));
  }
}
