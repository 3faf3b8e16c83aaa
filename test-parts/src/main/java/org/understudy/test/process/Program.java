package org.understudy.test.process;

import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A program that runs beside the test. Closing kills it. */
public final class Program implements AutoCloseable {
  private final Process process;
  private final Duration patience;
  private final Lines out;
  /** Null where the errors are among the output. */
  private final Lines err;

  private Program(Process process, Duration patience, Lines out, Lines err) {
    this.process = process;
    this.patience = patience;
    this.out = out;
    this.err = err;
  }

  /**
   * Starts a program with separate errors and output.
   *
   * @param patience how long a test waits for its next line or its end; only a defect takes that long
   */
  public static Program start(Path directory, Duration patience, List<String> command) throws IOException {
    Process process = builder(directory, command).start();
    Lines out = new Lines(process.getInputStream(), patience);
    return new Program(process, patience, out, new Lines(process.getErrorStream(), patience));
  }

  /** As {@link #start}, with the errors among the output. */
  public static Program startMerged(Path directory, Duration patience, List<String> command) throws IOException {
    Process process = builder(directory, command).redirectErrorStream(true).start();
    return new Program(process, patience, new Lines(process.getInputStream(), patience), null);
  }

  private static ProcessBuilder builder(Path directory, List<String> command) {
    return new ProcessBuilder(Interrupts.permittedIn(command)).directory(directory.toFile());
  }

  /** Runs a program to its end, with the errors among the output. */
  public static Outcome run(Path directory, Duration patience, List<String> command)
      throws IOException, InterruptedException {
    try (Program program = startMerged(directory, patience, command)) {
      return program.end();
    }
  }

  /** What it prints. */
  public Lines out() {
    return out;
  }

  /** What it reports beside that. */
  public Lines err() {
    return err;
  }

  /** Writes to its input, and ends that. */
  public void type(String text) throws IOException {
    try (Writer in = process.outputWriter(StandardCharsets.UTF_8)) {
      in.write(text);
    }
  }

  /**
   * Ctrl-C: as from a terminal, the programs that it has started get the signal too. A shell can lose one that reaches it alone while it
   * waits for a program.
   */
  public void interrupt() throws IOException, InterruptedException {
    Interrupts.assertPermitted();
    List<ProcessHandle> started = process.descendants().toList();
    signal("INT");
    for (ProcessHandle one : started) {
      // Which may have ended.
      kill("INT", one.pid());
    }
  }

  /** Lets it stand still. */
  public void pause() throws IOException, InterruptedException {
    signal("STOP");
  }

  /** Lets it go on after {@link #pause}. */
  public void resume() throws IOException, InterruptedException {
    signal("CONT");
  }

  private void signal(String name) throws IOException, InterruptedException {
    if (kill(name, process.pid()) != 0) {
      throw new AssertionError("The program cannot get the signal " + name + "; has it ended?\n" + out);
    }
  }

  private static int kill(String name, long pid) throws IOException, InterruptedException {
    return new ProcessBuilder("kill", "-" + name, Long.toString(pid)).redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.DISCARD).start().waitFor();
  }

  /** Waits for its end. */
  public Outcome end() throws InterruptedException {
    String rest = out.rest();
    String errors = err == null ? "" : err.rest();
    if (!process.waitFor(patience.toMillis(), TimeUnit.MILLISECONDS)) {
      throw new AssertionError("The program does not end. It printed:\n" + out);
    }
    return new Outcome(process.exitValue(), rest, errors);
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
