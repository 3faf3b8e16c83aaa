package org.understudy.test.process;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.understudy.thread.DaemonThreads;

/** The lines of a running program, in UTF-8. Read by one thread; a separate thread collects them from the program. */
public final class Lines {
  /** Stands behind the last line; another object than every line. */
  @SuppressWarnings("StringOperationCanBeSimplified")
  private static final String END = new String("(the end)");

  private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();
  private final List<String> read = new ArrayList<>();
  private final Duration patience;
  private boolean ended;

  Lines(InputStream in, Duration patience) {
    this.patience = patience;
    DaemonThreads.daemon("lines of a program", () -> read(in)).start();
  }

  private void read(InputStream in) {
    try (BufferedReader reader = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
      reader.lines().forEach(lines::add);
    } catch (IOException | UncheckedIOException e) {
      lines.add("(the output broke off: " + e.getMessage() + ")");
    }
    lines.add(END);
  }

  /** Waits for the next line; null when there is none any more. */
  @SuppressWarnings("ReferenceEquality")
  public String next() throws InterruptedException {
    if (ended) {
      return null;
    }
    String line = lines.poll(patience.toMillis(), TimeUnit.MILLISECONDS);
    if (line == null) {
      throw new AssertionError("The program printed nothing for " + patience.toSeconds() + " s. Before it:\n" + this);
    }
    if (line == END) {
      ended = true;
      return null;
    }
    read.add(line);
    return line;
  }

  /** Waits for a line with this beginning, and returns it. */
  public String await(String beginning) throws InterruptedException {
    for (String line = next(); line != null; line = next()) {
      if (line.startsWith(beginning)) {
        return line;
      }
    }
    throw new AssertionError("The program ended before \"" + beginning + "\". It printed:\n" + this);
  }

  /** Waits for the end, and returns all that was not read, each line with its end. */
  public String rest() throws InterruptedException {
    StringBuilder rest = new StringBuilder();
    for (String line = next(); line != null; line = next()) {
      rest.append(line).append('\n');
    }
    return rest.toString();
  }

  /** All that was read so far. */
  @Override
  public String toString() {
    return String.join("\n", read);
  }
}
