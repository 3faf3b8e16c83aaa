package org.understudy.session.http;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Base64;
import java.util.concurrent.ThreadLocalRandom;
import javax.crypto.Mac;
import org.understudy.replication.api.VersionHandle;

/**
 * The cookie that carries a browser's version handle: how far it has seen the session's updates. No two answers have the same cookie, so
 * that one which arrives late cannot bring back the cookie of a request that has been answered. It has a tag with the group's secret over
 * the session and the content, so a forged one, or one of another session, counts as none. Thread-safe.
 */
public final class HandleCookie {
  /** The name of the cookie. */
  public static final String NAME = "understudy.handle";

  private static final int TAG_BYTES = 16;
  /** A tag as text, and the dot before it. */
  private static final int TAG_CHARS = 23;

  private final Tag tag;

  public HandleCookie(byte[] secret) {
    this.tag = new Tag(secret);
  }

  /**
   * What a cookie says.
   *
   * @param nonce a random number, another one in each answer. It is odd when the browser has seen more than the handle, which could not be
   *     known when the answer began
   */
  public record Seen(VersionHandle handle, long nonce) {
    /** What a browser has seen with an answer. */
    public static Seen with(VersionHandle handle) {
      return new Seen(handle, ThreadLocalRandom.current().nextLong() & ~1);
    }

    /** What a browser has seen with an answer that begins before its handle is known. */
    public static Seen atLeast(VersionHandle handle) {
      return new Seen(handle, ThreadLocalRandom.current().nextLong() | 1);
    }

    /** Whether the browser has seen more than the handle. */
    public boolean isMore() {
      return (nonce & 1) != 0;
    }
  }

  /** The value of the cookie for a session. */
  public String value(String session, Seen seen) {
    return seen.handle() + "-" + Long.toHexString(seen.nonce()) + "."
        + Base64.getUrlEncoder().withoutPadding().encodeToString(tag(session, seen));
  }

  /** What a cookie's value says; null when it was not made for this session. */
  public Seen seen(String session, String value) {
    int nonce = value.indexOf('-') + 1;
    int end = value.length() - TAG_CHARS;
    if (nonce == 0 || end <= nonce) {
      return null;
    }
    try {
      Seen seen = new Seen(VersionHandle.parse(value.substring(0, nonce - 1)), Long.parseUnsignedLong(value, nonce, end, 16));
      byte[] given = value.getBytes(StandardCharsets.UTF_8);
      // The whole text, because the tag does not tell two ways to write a number apart.
      boolean own = MessageDigest.isEqual(given, value(session, seen).getBytes(StandardCharsets.UTF_8));
      return own && seen.handle().isOfGroup() ? seen : null;
    } catch (IllegalArgumentException e) {
      return null;
    }
  }

  private byte[] tag(String session, Seen seen) {
    Mac mac = tag.begin();
    mac.update("understudy session handle\0".getBytes(StandardCharsets.US_ASCII));
    VersionHandle handle = seen.handle();
    mac.update(ByteBuffer.allocate(24).putLong(handle.epoch()).putLong(handle.position()).putLong(seen.nonce()).array());
    mac.update(session.getBytes(StandardCharsets.UTF_8));
    return Arrays.copyOf(mac.doFinal(), TAG_BYTES);
  }
}
