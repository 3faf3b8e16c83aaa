package org.understudy.test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** What all threads of this process do. */
final class ThreadDump {
  private ThreadDump() {}

  /** Writes it to a new file in the directory of the build, and returns its name, or why there is none. */
  static String write() {
    StringBuilder text = new StringBuilder();
    Thread.getAllStackTraces().forEach((thread, frames) -> {
      text.append('"').append(thread.getName()).append("\" ").append(thread.getState()).append('\n');
      for (StackTraceElement frame : frames) {
        text.append("  at ").append(frame).append('\n');
      }
    });
    try {
      Path file = Files.createTempFile(Files.createDirectories(Path.of("target")), "threads-", ".txt");
      return Files.writeString(file, text).toString();
    } catch (IOException e) {
      return "could not be written, " + e;
    }
  }
}
