package org.understudy.session.http;

import java.security.GeneralSecurityException;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Begins a tag with the group's secret. Thread-safe. */
final class Tag {
  private static final String ALGORITHM = "HmacSHA256";

  private final SecretKeySpec secret;

  Tag(byte[] secret) {
    this.secret = new SecretKeySpec(secret, ALGORITHM);
  }

  /** A new computation, without input yet; for one thread. */
  Mac begin() {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(secret);
      return mac;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("Every Java has " + ALGORITHM + ".", e);
    }
  }
}
