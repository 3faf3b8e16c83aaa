package org.understudy.lab.notify;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/** Consumers in a separate process, so that their garbage and threads do not count in the benchmark. Not thread-safe. */
final class SinkProcess implements AutoCloseable {
  private final Process process;
  private final BufferedWriter commands;
  private final BufferedReader answers;
  private final List<Integer> ports;
  private int next;
  private int first;
  private int count;

  /** The deliveries of a group to its healthy consumers, summed up. */
  record Account(long gaps, long repeats, long strays) {}

  SinkProcess() throws IOException {
    process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Xmx384m", "-XX:+UseSerialGC",
                "-Djava.net.preferIPv4Stack=true", "-cp", System.getProperty("java.class.path"), Sinks.class.getName())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    commands = process.outputWriter(StandardCharsets.US_ASCII);
    answers = process.inputReader(StandardCharsets.US_ASCII);
    ports = Arrays.stream(answer().split(" ")).map(Integer::valueOf).toList();
  }

  /** New consumers with new addresses, so that late messages for earlier ones are not counted. */
  void open(int consumers) throws IOException {
    first = next;
    count = consumers;
    next += consumers;
    tell("open " + first + " " + count);
  }

  /** The addresses of the present ones. */
  List<String> addresses() {
    return IntStream.range(first, first + count)
        .mapToObj(sink -> "http://127.0.0.1:" + ports.get(sink % ports.size()) + "/sink/" + sink)
        .toList();
  }

  void expect(int value) throws IOException {
    tell("expect " + value);
  }

  /**
   * When each healthy consumer had the expected value. Blocks.
   *
   * @return moments of {@link System#nanoTime()}, which is CLOCK_MONOTONIC on Linux and the same in every process
   * @throws IOException when one of them does not have it in time
   */
  long[] await(Duration limit) throws IOException {
    String answer = tell("await " + limit.toMillis());
    long[] times = Arrays.stream(answer.split(" ")).mapToLong(Long::parseLong).toArray();
    long missing = Arrays.stream(times).filter(time -> time == 0).count();
    if (missing > 0) {
      throw new IOException(missing + " of " + times.length + " consumers that answer at once were not notified within "
          + limit.toSeconds() + " s; " + account() + ".");
    }
    return times;
  }

  Account account() throws IOException {
    String[] numbers = tell("account").split(" ");
    return new Account(Long.parseLong(numbers[0]), Long.parseLong(numbers[1]), Long.parseLong(numbers[2]));
  }

  private String tell(String command) throws IOException {
    commands.write(command);
    commands.newLine();
    commands.flush();
    return answer();
  }

  private String answer() throws IOException {
    String answer = answers.readLine();
    if (answer == null) {
      throw new IOException("The consumers' process has ended; its output is above.");
    }
    return answer;
  }

  @Override
  public void close() throws IOException {
    commands.close();
    try {
      if (!process.waitFor(5, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }
}
