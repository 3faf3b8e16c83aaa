package org.understudy.notification.operation;

import java.security.SecureRandom;
import java.util.HexFormat;

/**
 * Creates ids of subscriptions, pull points and registrations. An id is a capability: a client that has it can use the
 * resource.
 */
public final class ResourceIds {
  private static final SecureRandom RANDOM = new SecureRandom();
  private static final int BYTES = 16;

  private ResourceIds() {}

  /** Creates unguessable ids of 32 hexadecimal digits. */
  public static String next() {
    byte[] id = new byte[BYTES];
    RANDOM.nextBytes(id);
    return HexFormat.of().formatHex(id);
  }
}
