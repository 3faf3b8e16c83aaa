package org.understudy.container.peer;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import org.understudy.replication.runtime.handshake.ContentDigest;
import org.understudy.replication.runtime.handshake.FrameSeal;

/**
 * The HTTP header that authenticates one message of a connection: its number, status, content type,
 * acknowledgements and content. For one direction; used by one thread at a time.
 */
final class EnvelopeSeal {
  static final String HEADER = "Understudy-Peer";
  /** Stands for the status in a request, which has none. */
  static final int REQUEST = 0;

  private static final HexFormat HEX = HexFormat.of();

  private final FrameSeal seal;
  private final ContentDigest digest;
  private final byte[] tag = new byte[FrameSeal.TAG_BYTES];

  EnvelopeSeal(FrameSeal seal, ContentDigest digest) {
    this.seal = seal;
    this.digest = digest;
  }

  /** Returns the header's value for the next message. */
  String seal(int status, String contentType, String answers, List<byte[]> content) {
    seal.seal(digest(status, contentType, answers, content), tag, 0);
    return HEX.formatHex(tag);
  }

  /** Whether the header's value belongs to this message, and this is the next one. */
  boolean verify(String value, int status, String contentType, String answers, byte[] content) {
    if (value == null || value.length() != 2 * FrameSeal.TAG_BYTES) {
      return false;
    }
    byte[] received;
    try {
      received = HEX.parseHex(value);
    } catch (IllegalArgumentException e) {
      return false;
    }
    return seal.verify(digest(status, contentType, answers, List.of(content)), received, 0);
  }

  private byte[] digest(int status, String contentType, String answers, List<byte[]> content) {
    digest.update((byte) (status >>> 8));
    digest.update((byte) status);
    add(contentType);
    add(answers);
    for (byte[] segment : content) {
      digest.update(segment, 0, segment.length);
    }
    return digest.digest();
  }

  private void add(String text) {
    byte[] bytes = text == null ? new byte[0] : text.getBytes(StandardCharsets.UTF_8);
    digest.update((byte) (bytes.length >>> 8));
    digest.update((byte) bytes.length);
    digest.update(bytes, 0, bytes.length);
  }
}
