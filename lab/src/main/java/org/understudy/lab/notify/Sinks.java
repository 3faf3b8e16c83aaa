package org.understudy.lab.notify;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.stream.Collectors;

/**
 * The consumers' process. It reads commands as lines on its standard input and answers each by one line; it ends with its
 * input, so that no process is left behind. {@link SinkProcess} is the other end.
 */
public final class Sinks {
  private Sinks() {}

  public static void main(String[] arguments) throws IOException, InterruptedException {
    Arrivals arrivals = new Arrivals();
    try (SinkServer server = new SinkServer(arrivals, Sinks::end);
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII))) {
      System.out.println(server.ports().stream().map(String::valueOf).collect(Collectors.joining(" ")));
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        System.out.println(answer(arrivals, line.split(" ")));
      }
    }
  }

  private static void end(IOException why) {
    // Without it, the replicas would seem slow.
    System.err.println("The consumers' process cannot continue: " + why.getMessage() + ".");
    Runtime.getRuntime().halt(1);
  }

  private static String answer(Arrivals arrivals, String[] words) throws InterruptedException {
    return switch (words[0]) {
      case "open" -> {
        arrivals.open(Integer.parseInt(words[1]), Integer.parseInt(words[2]));
        yield "open";
      }
      case "expect" -> {
        arrivals.expect(Integer.parseInt(words[1]));
        yield "expecting";
      }
      case "await" ->
          Arrays.stream(arrivals.await(Long.parseLong(words[1])))
              .mapToObj(Long::toString)
              .collect(Collectors.joining(" "));
      case "account" -> arrivals.gaps() + " " + arrivals.repeats() + " " + arrivals.strays();
      default -> throw new IllegalArgumentException("Unknown command: " + words[0]);
    };
  }
}
