package org.understudy.lab.torture.network;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Runs programs of the operating system. */
public final class Shell {
  private Shell() {}

  /**
   * Runs a program to its end.
   *
   * @param command words, separated by single spaces
   * @throws IOException when it cannot be started, or ends with another status than 0; with its output
   */
  public static void run(String command) throws IOException, InterruptedException {
    Process process = start(command);
    String output = output(process);
    if (process.exitValue() != 0) {
      throw new IOException(command + " ended with status " + process.exitValue() + ": " + output);
    }
  }

  /** Whether a program can be started and ends with status 0. */
  public static boolean succeeds(String command) throws InterruptedException {
    try {
      Process process = start(command);
      output(process);
      return process.exitValue() == 0;
    } catch (IOException e) {
      return false;
    }
  }

  private static Process start(String command) throws IOException {
    return new ProcessBuilder(List.of(command.split(" "))).redirectErrorStream(true).start();
  }

  private static String output(Process process) throws IOException, InterruptedException {
    process.getOutputStream().close();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
    if (!process.waitFor(1, TimeUnit.MINUTES)) {
      process.destroyForcibly();
      throw new IOException("It has not ended after a minute: " + output);
    }
    return output;
  }
}
