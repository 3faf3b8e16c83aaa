package org.understudy.session.http;

import java.security.GeneralSecurityException;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Begins a tag with the group's secret. Thread-safe. */
final class Tag {
  private static final String ALGORITHM = "HmacSHA256";

  /** Copied for each tag: to find the algorithm and to prepare the key takes longer than most tags. */
  private final Mac prepared;

  Tag(byte[] secret) {
    try {
      prepared = Mac.getInstance(ALGORITHM);
      prepared.init(new SecretKeySpec(secret, ALGORITHM));
      var unused = prepared.clone();
    } catch (GeneralSecurityException | CloneNotSupportedException e) {
      throw new IllegalStateException("The Java runtime lacks " + ALGORITHM + ", or its copies.", e);
    }
  }

  /** A new computation, without input yet; for one thread. */
  Mac begin() {
    try {
      return (Mac) prepared.clone();
    } catch (CloneNotSupportedException e) {
      throw new IllegalStateException("The constructor has made a copy.", e);
    }
  }
}
