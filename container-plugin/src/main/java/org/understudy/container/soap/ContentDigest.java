package org.understudy.container.soap;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.CRC32C;
import org.understudy.soap.mime.Multipart;

/**
 * The digest of a request before the service's stack has read it: a checksum over the bytes from the Body on and over the
 * attachments. A client that marshals each attempt anew makes new content ids. Therefore the position of an attachment counts in
 * place of its id: in its header and in the references to it. A reference is a whole text or attribute value {@code cid:ID}.
 * For one thread.
 */
final class ContentDigest {
  private static final byte[] SCHEME = {'c', 'i', 'd', ':'};
  /** In front of a position. This byte is in no UTF-8 text. */
  private static final byte POSITION = (byte) 0xff;
  /** In {@link #positions}: several attachments have this id, so that a reference to it is ambiguous. */
  private static final int AMBIGUOUS = -1;

  private final CRC32C checksum = new CRC32C();
  private int size;
  /** The attachment of each id. */
  private final Map<String, Integer> positions = new HashMap<>();

  private ContentDigest() {}

  /** @param attachments null when there are none */
  static long of(byte[] bytes, int from, int to, Multipart attachments) {
    ContentDigest digest = new ContentDigest();
    if (attachments == null || attachments.attachments().isEmpty()) {
      digest.update(bytes, from, to);
    } else {
      digest.update(bytes, from, to, attachments);
    }
    return digest.checksum.getValue() << 32 | digest.size & 0xffff_ffffL;
  }

  private void update(byte[] bytes, int from, int to, Multipart attachments) {
    List<Multipart.PartHeader> headers = attachments.headers();
    for (int i = 0; i < headers.size(); i++) {
      String id = headers.get(i).id();
      if (!id.isEmpty()) {
        positions.merge(decoded(id), i, (first, second) -> AMBIGUOUS);
      }
    }
    updateBody(bytes, from, to);
    for (int i = 0; i < headers.size(); i++) {
      Multipart.PartHeader header = headers.get(i);
      byte[] part = attachments.attachments().get(i);
      String id = positions.getOrDefault(decoded(header.id()), AMBIGUOUS) == AMBIGUOUS ? header.id() : "";
      byte[] fields = (header.others() + id).getBytes(StandardCharsets.ISO_8859_1);
      // The lengths stand in front, so that no two lists of attachments have the same bytes.
      updateNumber(fields.length);
      update(fields, 0, fields.length);
      updateNumber(part.length - header.end());
      update(part, header.end(), part.length);
    }
  }

  private void updateBody(byte[] bytes, int from, int to) {
    int done = from;
    int at = from + 1;
    while (at + SCHEME.length < to) {
      byte before = bytes[at - 1];
      if (bytes[at] != SCHEME[0] || !isDelimiter(before) || !isScheme(bytes, at)) {
        at++;
        continue;
      }
      int id = at + SCHEME.length;
      int end = id;
      while (end < to && !isDelimiter(bytes[end])) {
        end++;
      }
      byte after = before == '>' ? (byte) '<' : before;
      if (end < to && bytes[end] == after) {
        int position = positions.getOrDefault(decoded(new String(bytes, id, end - id, StandardCharsets.UTF_8)), AMBIGUOUS);
        if (position != AMBIGUOUS) {
          update(bytes, done, id);
          update(new byte[] {POSITION}, 0, 1);
          updateNumber(position);
          done = end;
        }
      }
      at = end;
    }
    update(bytes, done, to);
  }

  private static boolean isScheme(byte[] bytes, int at) {
    return bytes[at + 1] == SCHEME[1] && bytes[at + 2] == SCHEME[2] && bytes[at + 3] == SCHEME[3];
  }

  private static boolean isDelimiter(byte one) {
    return one == '"' || one == '\'' || one == '<' || one == '>';
  }

  /** Without percent-encoding, which a sender may use in a reference, in a header, or in both. */
  private static String decoded(String id) {
    if (id.indexOf('%') < 0) {
      return id;
    }
    try {
      return URLDecoder.decode(id.replace("+", "%2B"), StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      return id;
    }
  }

  private void updateNumber(int number) {
    update(new byte[] {(byte) (number >> 24), (byte) (number >> 16), (byte) (number >> 8), (byte) number}, 0, 4);
  }

  private void update(byte[] bytes, int from, int to) {
    checksum.update(bytes, from, to - from);
    size += to - from;
  }
}
