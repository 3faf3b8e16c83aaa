package org.understudy.lab.demo;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/** The demonstration, at a quicker pace: real Tomcats, real kills, and the accounts. */
class DemoIT {
  @ParameterizedTest(name = "{0} in {1}")
  @CsvSource({"socket, tomcat", "call, tomcat", "notification, tomcat-10"})
  void nothingIsLostAndNothingDoneTwice(String transfer, String tomcat) throws IOException {
    List<String> words = new ArrayList<>(List.of("--cluster", "../scripts/cluster", "--port", "28480"));
    words.addAll(List.of("--transfer", transfer, "--clients", "4", "--pace", "1", "--tomcat", unpacked(tomcat)));
    assertEquals(0, new CommandLine(new Demo()).execute(words.toArray(new String[0])));
  }

  private static String unpacked(String directory) throws IOException {
    try (Stream<Path> inside = Files.list(Path.of("target", directory))) {
      return inside.findFirst().orElseThrow().toString();
    }
  }
}
