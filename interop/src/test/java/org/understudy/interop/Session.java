package org.understudy.interop;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.understudy.test.process.Program;

/** A client's program while it runs: what it prints, line by line, and the word to go on from its middle. */
final class Session implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private final Program program;

  Session(List<String> program, List<String> wsdls) throws IOException {
    List<String> command = new ArrayList<>(program);
    command.addAll(wsdls);
    this.program = Program.startMerged(Path.of("."), PATIENCE, command);
  }

  /** Waits until the program has come so far as to print a line that begins so. */
  String await(String beginning) throws InterruptedException {
    return program.out().await(beginning);
  }

  /** Lets a program that is busy in its middle go on to its end. */
  void goOn() throws IOException {
    program.type("go on\n");
  }

  /** Waits for the end, which has to be a good one, and says how often the client retried. */
  int retriesAtTheEnd() throws InterruptedException {
    String retried = await("retried ");
    await("end");
    assertEquals(0, program.end().status(), this::toString);
    return Integer.parseInt(retried.substring("retried ".length()));
  }

  /** All that it has printed so far. */
  @Override
  public String toString() {
    return program.out().toString();
  }

  @Override
  public void close() {
    program.close();
  }
}
