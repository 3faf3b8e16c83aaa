package org.understudy.notification.operation;

import java.security.SecureRandom;
import java.util.HexFormat;

/** New ids for subscriptions and pull points: who knows one may do with it what he likes. */
final class ResourceIds {
  private static final SecureRandom RANDOM = new SecureRandom();
  private static final int BYTES = 16;

  private ResourceIds() {}

  /** 32 hexadecimal digits that nobody guesses. */
  static String next() {
    byte[] id = new byte[BYTES];
    RANDOM.nextBytes(id);
    return HexFormat.of().formatHex(id);
  }
}
