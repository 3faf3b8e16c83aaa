package org.understudy.lab.cluster;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * What a replica takes up.
 *
 * @param heapBytes that are reachable
 * @param threads of the operating system
 */
public record Footprint(long heapBytes, int threads) {
  /** Young and old space each say it; metaspace is told in the same way and is not heap. */
  private static final Pattern USED = Pattern.compile("generation\\s+total \\d+K, used (\\d+)K");

  private static final int COLLECTIONS = 2;

  /** Collects the garbage of another JVM on this machine and looks. Blocks until the collection is done. */
  public static Footprint of(long pid) throws IOException, InterruptedException {
    long least = Long.MAX_VALUE;
    for (int i = 0; i < COLLECTIONS; i++) {
      // The second finds what the first one's reference queues let go of.
      jcmd(pid, "GC.run");
      least = Math.min(least, used(jcmd(pid, "GC.heap_info")));
    }
    try (Stream<Path> tasks = Files.list(Path.of("/proc", Long.toString(pid), "task"))) {
      return new Footprint(least, (int) tasks.count());
    }
  }

  /** Sums what GC.heap_info says of a serial collector's generations. */
  static long used(String heapInfo) throws IOException {
    Matcher generation = USED.matcher(heapInfo);
    long kilobytes = 0;
    int generations = 0;
    while (generation.find()) {
      kilobytes += Long.parseLong(generation.group(1));
      generations++;
    }
    if (generations != 2) {
      throw new IOException("The replica's heap is not that of a serial collector: " + heapInfo);
    }
    return kilobytes << 10;
  }

  private static String jcmd(long pid, String command) throws IOException, InterruptedException {
    Path jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd");
    if (!Files.isExecutable(jcmd)) {
      throw new IOException("There is no " + jcmd + "; run it by a JDK, which has it.");
    }
    Process process = new ProcessBuilder(jcmd.toString(), Long.toString(pid), command).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (!process.waitFor(60, TimeUnit.SECONDS) || process.exitValue() != 0) {
      throw new IOException("jcmd " + pid + " " + command + " failed: " + said);
    }
    return said;
  }
}
