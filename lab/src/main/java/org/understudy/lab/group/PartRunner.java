package org.understudy.lab.group;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Measures parts one after another. What a part has measured is written, also if it or a later one fails. Not thread-safe. */
final class PartRunner {
  /** Measures one part. */
  @FunctionalInterface
  interface Measurement {
    void run() throws Exception;
  }

  /** Writes what all parts have measured up to now. */
  @FunctionalInterface
  interface Writer {
    void write() throws IOException;
  }

  private final Writer writer;
  private final List<String> failed = new ArrayList<>();

  PartRunner(Writer writer) {
    this.writer = writer;
  }

  /**
   * Measures a part, reports its failure on standard error, and writes the results.
   *
   * @throws InterruptedException when the part was interrupted: then no further part should run
   * @throws IOException when the results cannot be written
   */
  void run(String part, Measurement measurement) throws IOException, InterruptedException {
    try {
      measurement.run();
    } catch (InterruptedException e) {
      throw e;
    } catch (Exception e) {
      failed.add(part);
      System.err.println("Failed: " + part + ", because of " + e + " What was measured before is written.");
    } finally {
      writer.write();
    }
  }

  /** The parts that failed, in their order. */
  List<String> failed() {
    return List.copyOf(failed);
  }
}
