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
 * The resources that a replica uses.
 *
 * @param heapBytes reachable bytes
 * @param threads of the operating system
 */
public record Footprint(long heapBytes, int threads) {
  /** Young and old space are listed; metaspace is listed in the same way and is not heap. */
  private static final Pattern USED = Pattern.compile("generation\\s+total \\d+K, used (\\d+)K");

  /** The second collection frees what the reference queues of the first one released. */
  private static final String COMMANDS = "GC.run\nGC.heap_info\nGC.run\nGC.heap_info\n";
  /** The start of a serial collector's heap in the output of GC.heap_info. */
  private static final Pattern HEAP = Pattern.compile("(?=def new generation)");

  /** Runs the garbage collector of another JVM on this machine and measures. Blocks until the collection is done. */
  public static Footprint of(long pid) throws IOException, InterruptedException {
    // One process for all commands: starting one takes longer than collecting.
    Path commands = Files.createTempFile("understudy", ".jcmd");
    String[] heaps;
    try {
      Files.writeString(commands, COMMANDS);
      heaps = HEAP.split(jcmd(pid, commands));
    } finally {
      Files.delete(commands);
    }
    long least = used(heaps[heaps.length - 1]);
    for (int i = 1; i < heaps.length; i++) {
      least = Math.min(least, used(heaps[i]));
    }
    try (Stream<Path> tasks = Files.list(Path.of("/proc", Long.toString(pid), "task"))) {
      return new Footprint(least, (int) tasks.count());
    }
  }

  /** Sums the generations of a serial collector in the output of GC.heap_info. */
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

  private static String jcmd(long pid, Path commands) throws IOException, InterruptedException {
    Path jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd");
    if (!Files.isExecutable(jcmd)) {
      throw new IOException(jcmd + " is missing; run this program with a JDK.");
    }
    Process process = new ProcessBuilder(jcmd.toString(), Long.toString(pid), "-f", commands.toString()).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (!process.waitFor(60, TimeUnit.SECONDS) || process.exitValue() != 0) {
      throw new IOException("jcmd " + pid + " failed: " + said);
    }
    return said;
  }
}
