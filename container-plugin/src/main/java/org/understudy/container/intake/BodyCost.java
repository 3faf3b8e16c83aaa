package org.understudy.container.intake;

import org.understudy.soap.mime.Multipart;
import org.understudy.soap.mime.Transcoding;

/**
 * Bytes of memory that a request takes for each byte of its body, from its first byte to its answer. {@code docs/operations.md} lists
 * them, and {@code SmallHeapHttpTest} fills a replica with each.
 */
final class BodyCost {
  /** The body alone: an array, and the one that replaces it when it is full. */
  private static final int UNREAD = 3;
  /**
   * The bytes; in UTF-8, where ISO-8859-1 becomes up to two bytes each; characters of two bytes in the parser; the service's objects; and
   * bytes of the update or the answer.
   */
  private static final int ENVELOPE = 8;
  /** Beside that: the parts, and the message that is written of them for the service's stack. */
  private static final int PARTS = 3;

  private BodyCost() {}

  /** @param contentType of the request, or null */
  static int of(String contentType) {
    if (Multipart.is(contentType)) {
      return ENVELOPE + PARTS;
    }
    return Transcoding.isXml(contentType) ? ENVELOPE : UNREAD;
  }
}
