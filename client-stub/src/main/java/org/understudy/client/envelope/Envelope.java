package org.understudy.client.envelope;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * A marshalled request envelope with the position where header blocks can be inserted. The bytes are shared, never copied
 * and never changed: every attempt sends the same ones with other header blocks between them.
 */
public final class Envelope {
  private static final byte[] ENVELOPE = "Envelope".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] HEADER = "Header".getBytes(StandardCharsets.US_ASCII);

  private final byte[] bytes;
  private final int length;
  private final int splice;
  private final byte[] open;
  private final byte[] close;

  private Envelope(byte[] bytes, int length, int splice, byte[] open, byte[] close) {
    this.bytes = bytes;
    this.length = length;
    this.splice = splice;
    this.open = open;
    this.close = close;
  }

  /**
   * Finds the position in the first {@code length} bytes, which are a SOAP envelope in UTF-8 or a MIME message that begins
   * with one.
   *
   * @throws IllegalArgumentException when they are something else, compressed or encrypted for example
   */
  public static Envelope of(byte[] bytes, int length) {
    int name = envelopeName(bytes, length);
    int nameEnd = name;
    while (nameEnd < length && isNameByte(bytes[nameEnd])) {
      nameEnd++;
    }
    int afterEnvelope = tagEnd(bytes, nameEnd, length);
    String prefix = new String(bytes, name, nameEnd - name - "Envelope".length(), StandardCharsets.UTF_8);
    int child = nextTag(bytes, afterEnvelope, length);
    int childEnd = child + 1;
    while (childEnd < length && isNameByte(bytes[childEnd])) {
      childEnd++;
    }
    // An envelope's children are its header and its body, with any prefix.
    if (!isNamed(bytes, child + 1, childEnd, HEADER)) {
      return new Envelope(bytes, length, afterEnvelope, tag("<" + prefix + "Header>"), tag("</" + prefix + "Header>"));
    }
    int afterHeader = tagEnd(bytes, childEnd, length);
    if (bytes[afterHeader - 2] == '/') {
      // An empty header element is replaced by an opened one, because a second header would be invalid.
      return of(withoutEmptyTag(bytes, length, child, afterHeader), length - (afterHeader - child));
    }
    return new Envelope(bytes, length, afterHeader, new byte[0], new byte[0]);
  }

  /** The number of bytes that {@link #writeTo} writes with blocks of this total size. */
  public int lengthWith(int blocks) {
    return length + open.length + blocks + close.length;
  }

  /** Writes the envelope with header blocks: {@code constant} first, then the first {@code count} bytes of {@code block}. */
  public void writeTo(OutputStream out, byte[] constant, byte[] block, int count) throws IOException {
    out.write(bytes, 0, splice);
    out.write(open);
    out.write(constant);
    out.write(block, 0, count);
    out.write(close);
    out.write(bytes, splice, length - splice);
  }

  private static byte[] tag(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static byte[] withoutEmptyTag(byte[] bytes, int length, int from, int to) {
    byte[] rest = new byte[length - (to - from)];
    System.arraycopy(bytes, 0, rest, 0, from);
    System.arraycopy(bytes, to, rest, from, length - to);
    return rest;
  }

  private static int envelopeName(byte[] bytes, int length) {
    int scan = Math.min(length, 8_192);
    for (int at = 0; at < scan; at++) {
      if (bytes[at] != '<') {
        continue;
      }
      int end = at + 1;
      while (end < length && isNameByte(bytes[end])) {
        end++;
      }
      if (end < length && isNamed(bytes, at + 1, end, ENVELOPE)) {
        return at + 1;
      }
    }
    throw new IllegalArgumentException("The request is not a plain SOAP envelope in UTF-8. The fault-tolerant stub does not"
        + " support features that compress or wrap it.");
  }

  /** The index after the {@code >} that ends the tag, ignoring those in attribute values. */
  private static int tagEnd(byte[] bytes, int from, int length) {
    byte quote = 0;
    for (int at = from; at < length; at++) {
      byte b = bytes[at];
      if (quote != 0) {
        quote = b == quote ? 0 : quote;
      } else if (b == '"' || b == '\'') {
        quote = b;
      } else if (b == '>') {
        return at + 1;
      }
    }
    throw new IllegalArgumentException("The request envelope ends within a tag.");
  }

  /** The index of the next element's {@code <}, after comments, processing instructions and white space. */
  private static int nextTag(byte[] bytes, int from, int length) {
    int at = from;
    while (at + 3 < length) {
      if (bytes[at] == '<' && bytes[at + 1] == '!') {
        at = commentEnd(bytes, at + 4, length);
      } else if (bytes[at] == '<' && bytes[at + 1] == '?') {
        at = instructionEnd(bytes, at + 2, length);
      } else if (bytes[at] == '<') {
        return at;
      } else {
        at++;
      }
    }
    throw new IllegalArgumentException("The request envelope has no body.");
  }

  private static int commentEnd(byte[] bytes, int from, int length) {
    for (int at = from; at + 2 < length; at++) {
      if (bytes[at] == '-' && bytes[at + 1] == '-' && bytes[at + 2] == '>') {
        return at + 3;
      }
    }
    throw new IllegalArgumentException("The request envelope ends within a comment.");
  }

  private static int instructionEnd(byte[] bytes, int from, int length) {
    for (int at = from; at + 1 < length; at++) {
      if (bytes[at] == '?' && bytes[at + 1] == '>') {
        return at + 2;
      }
    }
    throw new IllegalArgumentException("The request envelope ends within a processing instruction.");
  }

  /** Whether the name in these bytes has this local part. */
  private static boolean isNamed(byte[] bytes, int from, int to, byte[] local) {
    int start = to - local.length;
    return start >= from
        && (start == from || bytes[start - 1] == ':')
        && Arrays.equals(bytes, start, to, local, 0, local.length);
  }

  private static boolean isNameByte(byte b) {
    return b != '>' && b != '/' && b != ' ' && b != '\t' && b != '\r' && b != '\n';
  }
}
