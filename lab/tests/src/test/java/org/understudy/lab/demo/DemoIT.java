package org.understudy.lab.demo;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.understudy.test.network.ClusterPorts;
import picocli.CommandLine;

/** The demonstration, at a quicker pace: real Tomcats, real kills, and the accounts. */
class DemoIT {
  /** Call is covered by {@code ClusterIT} and by the tests of the counter. */
  @ParameterizedTest(name = "{0}: {1}, {2} in {3}")
  @CsvSource({
    "counter, primary-backup, socket, ../target/tomcat", "matchmaker, primary-backup, notification, target/tomcat-10",
    "counter, group, socket, ../target/tomcat"
  })
  void everyUpdateIsExecutedExactlyOnce(String service, String strategy, String transfer, String tomcat) throws Exception {
    List<String> words = new ArrayList<>(List.of("--cluster", "../../scripts/cluster", "--port", Integer.toString(ClusterPorts.next())));
    words.addAll(List.of("--service", service));
    words.addAll(List.of("--strategy", strategy, "--transfer", transfer, "--clients", "4", "--pace", "1", "--tomcat", unpacked(tomcat)));
    Demo demo = new Demo();
    new CommandLine(demo).parseArgs(words.toArray(new String[0]));
    String said = saidBy(demo);
    assertTrue(said.endsWith("PASS" + System.lineSeparator()), said);
  }

  /** What the demonstration prints as its result: a failure has to say which of the accounts was wrong. */
  private static String saidBy(Demo demo) throws Exception {
    PrintStream out = System.out;
    ByteArrayOutputStream said = new ByteArrayOutputStream();
    System.setOut(new PrintStream(said, true, StandardCharsets.UTF_8));
    try {
      demo.call();
    } finally {
      System.setOut(out);
    }
    String result = said.toString(StandardCharsets.UTF_8);
    out.print(result);
    return result;
  }

  private static String unpacked(String directory) throws IOException {
    try (Stream<Path> inside = Files.list(Path.of(directory))) {
      return inside.findFirst().orElseThrow().toString();
    }
  }
}
