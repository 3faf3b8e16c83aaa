package org.understudy.lab.attack;

import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Beginnings of requests and handshakes that announce much, and send nothing of it. The numbers of lengths, types and paths have no
 * common divisor, so that successive numbers give every combination.
 */
final class AnnouncedBytes {
  private static final List<String> LENGTHS = List.of(
      "Content-Length: 2097152\r\n\r\n",
      "Content-Length: " + LargeBodies.LARGEST + "\r\n\r\n",
      "Content-Length: " + Integer.MAX_VALUE + "\r\n\r\n",
      "Content-Length: " + Long.MAX_VALUE + "\r\n\r\n",
      "Transfer-Encoding: chunked\r\n\r\n7fffffff\r\n");
  private static final List<String> TYPES = List.of(
      "text/xml; charset=UTF-8",
      "application/soap+xml; charset=ISO-8859-1",
      "multipart/related; type=\"text/xml\"; boundary=b",
      "application/x-www-form-urlencoded");
  /** A frame between replicas: its length, 64 MB, in four bytes. */
  private static final byte[] FRAME = {4, 0, 0, 0};
  /** The bytes of a handshake's first message, the hello. Its length is in two bytes before it. */
  static final int HELLO = 54;
  private static final byte[] LONGEST_HELLO = {-1, -1};

  private AnnouncedBytes() {}

  /** The head of a request by number: in turns to a service, the application's other paths, the cart, and paths outside. */
  static byte[] request(String service, long number) {
    String application = service.substring(0, service.indexOf('/', 1));
    List<String> paths = List.of(
        service, service + "/none", application + "/replication", Attacks.beside(service, "CreatePullPoint"), application + "/none",
        application + "/health/live", SessionAttacks.SHOP, "/cart/understudy/health/live", "/none");
    return Attacks.post(turn(paths, number), turn(TYPES, number), turn(LENGTHS, number));
  }

  private static String turn(List<String> all, long number) {
    return all.get((int) (number % all.size()));
  }

  /** What a peer without the secret may begin with, by number. */
  static byte[] handshake(long number) {
    return switch ((int) (number % 4)) {
      case 0 -> FRAME;
      case 1 -> LONGEST_HELLO;
      case 2 -> (new String(new char[] {0, HELLO}) + "USP4\1\2" + "n".repeat(HELLO - 6) + "\4\0\0\0")
          .getBytes(StandardCharsets.ISO_8859_1);
      default -> "POST / HTTP/1.1\r\nContent-Length: 67108864\r\n\r\n".getBytes(StandardCharsets.ISO_8859_1);
    };
  }
}
