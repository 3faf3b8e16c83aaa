package org.understudy.container.configuration;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.understudy.test.process.Program;

class TrustedProxiesTest {
  private static final TrustedProxies PROXIES = TrustedProxies.parse("192.0.2.7, 10.0.0.0/8, fd00::/8");

  @TempDir private Path directory;

  @Test
  void unauthenticatedForwardingHeadersAreIgnored() {
    assertEquals("198.51.100.1", PROXIES.client("198.51.100.1", List.of("203.0.113.5")));
    assertEquals("192.0.2.7", TrustedProxies.parse("none").client("192.0.2.7", List.of("203.0.113.5")));
  }

  @Test
  void theClientIsTheLastThatIsNotAProxy() {
    assertEquals("203.0.113.5", PROXIES.client("192.0.2.7", List.of("203.0.113.5")));
    assertEquals("203.0.113.5", PROXIES.client("10.1.2.3", List.of("1.1.1.1, 203.0.113.5", "10.9.9.9")));
    assertEquals("2001:db8::1", PROXIES.client("fd00::2", List.of("[2001:db8::1]:4711")));
    assertEquals("203.0.113.5", PROXIES.client("10.1.2.3", List.of("203.0.113.5:4711")));
    assertEquals("10.1.2.3", PROXIES.client("10.1.2.3", List.of()));
    assertEquals("10.9.9.9", PROXIES.client("10.1.2.3", List.of("localhost, 10.9.9.9")));
    assertEquals("10.1.2.3", PROXIES.client("10.1.2.3", List.of("unknown")));
  }

  @Test
  void whatIsNoAddressIsRefused() {
    for (String wrong : new String[] {"", "proxy.example", "10.0.0.0/33", "10.0.0.0/x", "10.0.0"}) {
      assertThrows(IllegalArgumentException.class, () -> TrustedProxies.parse(wrong), wrong);
    }
  }

  /** The process, in which names have addresses that a file lists. */
  static final class Lookup {
    private Lookup() {}

    /** @param hops of one header */
    public static void main(String[] hops) {
      System.out.println(PROXIES.client("192.0.2.7", List.of(hops)));
    }
  }

  @Test
  void noNameIsLookedUp() throws Exception {
    String name = "999.999.999.999";
    Path hosts = Files.writeString(directory.resolve("hosts"), "198.51.100.1 " + name + "\n");
    List<String> command = List.of(
        Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Djdk.net.hosts.file=" + hosts, "-cp",
        System.getProperty("java.class.path"), Lookup.class.getName(), name);
    assertEquals("192.0.2.7", Program.run(directory, Duration.ofMinutes(1), command).success().strip());
  }
}
