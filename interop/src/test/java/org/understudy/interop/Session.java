package org.understudy.interop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.fail;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** A client's program while it runs: what it prints, line by line, and the word to go on from its middle. */
final class Session implements AutoCloseable {
  private static final int MOST_SECONDS = 120;
  private static final String ENDED = "(the program ended)";

  private final Process process;
  private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();
  private final List<String> said = new ArrayList<>();

  Session(List<String> program, List<String> wsdls) throws IOException {
    List<String> command = new ArrayList<>(program);
    command.addAll(wsdls);
    process = new ProcessBuilder(command).redirectErrorStream(true).start();
    Thread reader = new Thread(this::read, "output of " + program.get(0));
    reader.setDaemon(true);
    reader.start();
  }

  private void read() {
    try (BufferedReader out = process.inputReader(StandardCharsets.UTF_8)) {
      out.lines().forEach(lines::add);
    } catch (IOException | UncheckedIOException e) {
      lines.add("(its output broke off: " + e.getMessage() + ")");
    }
    lines.add(ENDED);
  }

  /** Waits until the program has come so far as to print a line that begins so. */
  String await(String beginning) throws InterruptedException {
    while (true) {
      String line = lines.poll(MOST_SECONDS, TimeUnit.SECONDS);
      if (line == null) {
        fail("Nothing came for " + MOST_SECONDS + " s where \"" + beginning + "\" was due; before it:\n" + this);
      }
      said.add(line);
      if (line.equals(ENDED)) {
        fail("The program ended before \"" + beginning + "\":\n" + this);
      }
      if (line.startsWith(beginning)) {
        return line;
      }
    }
  }

  /** Lets a program that is busy in its middle go on to its end. */
  void goOn() throws IOException {
    try (var in = process.outputWriter(StandardCharsets.UTF_8)) {
      in.write("go on\n");
    }
  }

  /** Waits for the end, which has to be a good one, and says how often the client retried. */
  int retriesAtTheEnd() throws InterruptedException {
    String retried = await("retried ");
    await("end");
    if (!process.waitFor(MOST_SECONDS, TimeUnit.SECONDS)) {
      fail("The program did not end after its last step:\n" + this);
    }
    assertEquals(0, process.exitValue(), this::toString);
    return Integer.parseInt(retried.substring("retried ".length()));
  }

  @Override
  public String toString() {
    return String.join("\n", said);
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
