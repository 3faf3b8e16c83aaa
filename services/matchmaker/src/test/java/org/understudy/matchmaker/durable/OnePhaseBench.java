package org.understudy.matchmaker.durable;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.h2.tools.Server;
import org.understudy.test.network.FreePorts;

/**
 * Measures the round trip of an update of a database, committed in one phase and by the log, in turns. Both clusters run in this JVM with
 * two replicas each, at one H2 server. Arguments: calls that count, of each; calls before.
 */
final class OnePhaseBench {
  private static final int TURN = 50;

  private OnePhaseBench() {}

  public static void main(String[] arguments) throws Exception {
    int calls = Integer.parseInt(arguments[0]);
    int warmUp = Integer.parseInt(arguments[1]);
    Path directory = Files.createTempDirectory("one-phase");
    int port = FreePorts.next();
    Server server =
        Server.createTcpServer("-tcpPort", Integer.toString(port), "-ifNotExists", "-baseDir", directory.toString()).start();
    String url = "jdbc:h2:tcp://127.0.0.1:" + port + "/./";
    Tally onePhase =
        Tally.of(Files.createDirectory(directory.resolve("a")), TallyService.class, 2, "primary-backup", url + "a;WRITE_DELAY=0");
    Tally logged =
        Tally.of(Files.createDirectory(directory.resolve("b")), LoggedTallyService.class, 2, "primary-backup", url + "b;WRITE_DELAY=0");
    try (onePhase; logged) {
      long[] first = new long[calls];
      long[] second = new long[calls];
      for (int done = -warmUp; done < calls; done += TURN) {
        measure(onePhase, done, first);
        measure(logged, done, second);
      }
      report("one phase", first);
      report("by the log", second);
    } finally {
      server.stop();
    }
  }

  private static void measure(Tally tally, int from, long[] nanos) {
    int primary = tally.cluster().primary();
    for (int i = from; i < from + TURN; i++) {
      String id = Tally.id();
      long begin = System.nanoTime();
      tally.sum(primary, id, 1);
      if (i >= 0 && i < nanos.length) {
        nanos[i] = System.nanoTime() - begin;
      }
    }
  }

  private static void report(String what, long[] nanos) {
    Arrays.sort(nanos);
    System.out.printf(
        "%-10s  median %,d us, 90th percentile %,d us%n", what, nanos[nanos.length / 2] / 1_000, nanos[nanos.length * 9 / 10] / 1_000);
  }
}
