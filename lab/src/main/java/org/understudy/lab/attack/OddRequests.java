package org.understudy.lab.attack;

import java.util.List;
import java.util.function.UnaryOperator;
import org.understudy.lab.cluster.Envelopes;

/** Requests that a container, a proxy and a replica might each understand differently. */
final class OddRequests {
  private static final List<UnaryOperator<String>> PATHS = List.of(
      path -> "/" + path,
      path -> "//" + path.replace("/", "//"),
      path -> afterContext(path, ";v=1"),
      path -> path.replace("/services", "/services;v=1"),
      path -> path + ";v=1",
      path -> path + ";v=1?a=b",
      path -> afterContext(path, "/."),
      path -> afterContext(path, "/%2e"),
      path -> afterContext(path, "/%2E/x/%2e%2E"),
      path -> afterContext(path, "/.".repeat(3_000)),
      path -> "/x/.." + path,
      path -> path.replace("/services/C", "/services/%43"),
      path -> "/%" + Integer.toHexString(path.charAt(1)) + path.substring(2),
      path -> path + "/",
      path -> path.replace("/services/", "/services%2F"),
      path -> path.replace("/services/", "/services%5c"),
      path -> path.replace("/services/", "/services/..;/services/"),
      path -> afterContext(path, "/%252e"),
      path -> afterContext(path, "/%c0%ae"),
      path -> path + "%00",
      path -> "http://127.0.0.1:9" + path,
      path -> afterContext(path, "/../../..") + "/..",
      path -> "*");

  private static final List<String> FORWARDED_FOR = List.of(
      "999.999.999.999", "192.0.2.1, 999.999.999.999", "256.1.1.1", "1", "0x7f.1", "017700000001", "127.1", "localhost",
      "no.such.host.invalid", "999.999.999.999:80", "[::1", "[::1]:x", "::ffff:999.1.1.1", "fe80::1%9", ":", ",,,,",
      "1,".repeat(3_000), "9".repeat(6_000), "unknown, \"_hidden\"");

  private OddRequests() {}

  private static String afterContext(String path, String inserted) {
    int end = path.indexOf('/', 1);
    return path.substring(0, end) + inserted + path.substring(end);
  }

  /** An update of a counter whose path is written in one of these ways, by number. */
  static byte[] path(Target target, String counter, long number) {
    return target.post(PATHS.get((int) (number % PATHS.size())).apply(counter), Envelopes.add("", 0));
  }

  /** An update with a client's address that is none. */
  static byte[] forwardedFor(Target target, String counter, long number) {
    return target.post(counter, Envelopes.add("", 0),
        "X-Forwarded-For: " + FORWARDED_FOR.get((int) (number % FORWARDED_FOR.size())));
  }
}
