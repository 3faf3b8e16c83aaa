package org.understudy.soap.mime;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CharsetEncoder;
import java.nio.charset.CoderResult;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.understudy.soap.envelope.BadEnvelopeException;
import org.understudy.soap.envelope.SoapVersion;

/**
 * Converts a request to UTF-8 before it is parsed. The plugin and the service's stack each parse the same bytes; if they
 * disagreed on the encoding, one could see a read and the other an update.
 */
public final class Transcoding {
  private static final int MAX_DECLARATION = 200;
  private static final int SLICE = 8_192;
  private static final int MAX_BYTES_OF_CHAR = 3;
  /** Of each byte: one of ISO-8859-1 becomes two, and two of UTF-16 become three. */
  private static final int MAX_GROWTH = 2;
  private static final Set<String> XML = Set.of("text/xml", "application/soap+xml", "application/xml");
  /** The charsets that are accepted, with the one by which each is read. */
  private static final Map<Charset, Charset> TAKEN =
      Map.of(
          StandardCharsets.UTF_8, StandardCharsets.UTF_8,
          StandardCharsets.US_ASCII, StandardCharsets.UTF_8,
          StandardCharsets.ISO_8859_1, StandardCharsets.ISO_8859_1,
          StandardCharsets.UTF_16, StandardCharsets.UTF_16,
          StandardCharsets.UTF_16LE, StandardCharsets.UTF_16LE,
          StandardCharsets.UTF_16BE, StandardCharsets.UTF_16BE);

  private Transcoding() {}

  /** Whether a message with this Content-Type may be an envelope; false for null. */
  public static boolean isXml(String contentType) {
    return contentType != null && XML.contains(contentType.split(";", 2)[0].strip().toLowerCase(Locale.ROOT));
  }

  /** Returns the greatest number of bytes in UTF-8 that a text with this number of bytes in any charset may have. */
  public static int longest(int bytes) {
    return (int) Math.min(Integer.MAX_VALUE, (long) MAX_GROWTH * bytes);
  }

  /**
   * The same text in UTF-8 without a byte order mark; the same array when it is that already.
   *
   * @param contentType of the request, or null; its charset goes before the XML declaration's
   * @throws BadEnvelopeException when the charset is none of UTF-8, UTF-16, ISO-8859-1 and US-ASCII, or the bytes are
   *     not text in it
   */
  public static byte[] utf8(byte[] bytes, String contentType) throws BadEnvelopeException {
    String name = charset(contentType);
    name = name != null ? name : guessed(bytes);
    Charset charset = taken(name);
    if (charset == null) {
      throw new BadEnvelopeException(
          SoapVersion.ofContentType(contentType), "Unsupported charset: use UTF-8, UTF-16, ISO-8859-1 or US-ASCII.");
    }
    if (charset == StandardCharsets.UTF_8) {
      return begins(bytes, 0xef, 0xbb, 0xbf) ? Arrays.copyOfRange(bytes, 3, bytes.length) : bytes;
    }
    try {
      byte[] utf8 = new byte[convert(bytes, charset, null)];
      convert(bytes, charset, utf8);
      return utf8;
    } catch (CharacterCodingException e) {
      throw new BadEnvelopeException(SoapVersion.ofContentType(contentType),
          "The request is not valid text in the charset that it declares.");
    }
  }

  /** Returns the charset of a name, which may be an alias; null when it is not accepted. */
  private static Charset taken(String name) {
    try {
      return TAKEN.get(Charset.forName(name));
    } catch (IllegalArgumentException e) {
      return null;
    }
  }

  /**
   * Converts slice by slice, so that nothing is held beside the bytes and the result.
   *
   * @param into takes the text in UTF-8 without a byte order mark; null: only counts
   * @return the length of the text in UTF-8
   */
  private static int convert(byte[] bytes, Charset charset, byte[] into) throws CharacterCodingException {
    CharsetDecoder decoder = charset.newDecoder();
    CharsetEncoder encoder = StandardCharsets.UTF_8.newEncoder();
    ByteBuffer in = ByteBuffer.wrap(bytes);
    CharBuffer chars = CharBuffer.allocate(SLICE);
    ByteBuffer slice = ByteBuffer.allocate(MAX_BYTES_OF_CHAR * SLICE);
    int length = 0;
    boolean first = true;
    while (true) {
      CoderResult read = decoder.decode(in, chars, true);
      if (read.isError()) {
        read.throwException();
      }
      chars.flip();
      if (first && chars.hasRemaining() && chars.get(0) == '\ufeff') {
        chars.get();
      }
      first = false;
      CoderResult written = encoder.encode(chars, slice, read.isUnderflow());
      if (written.isError()) {
        written.throwException();
      }
      slice.flip();
      int count = slice.remaining();
      if (into != null) {
        slice.get(into, length, count);
      }
      length += count;
      if (read.isUnderflow()) {
        return length;
      }
      slice.clear();
      // Half a character outside of the basic plane stays.
      chars.compact();
    }
  }

  /** Null where the Content-Type names none. */
  private static String charset(String contentType) {
    if (contentType == null || contentType.indexOf(';') < 0) {
      return null;
    }
    String charset = ContentType.of(contentType).parameter("charset");
    return charset == null ? null : charset.replace('\'', ' ').strip();
  }

  /** As appendix F of XML 1.0 describes. */
  private static String guessed(byte[] bytes) {
    if (begins(bytes, 0xfe, 0xff) || begins(bytes, 0xff, 0xfe)) {
      return "utf-16";
    }
    if (begins(bytes, 0, '<')) {
      return "utf-16be";
    }
    if (begins(bytes, '<', 0)) {
      return "utf-16le";
    }
    if (!begins(bytes, '<', '?')) {
      return "utf-8";
    }
    String head = new String(bytes, 0, Math.min(bytes.length, MAX_DECLARATION), StandardCharsets.ISO_8859_1);
    int end = head.indexOf("?>");
    int at = end < 0 ? -1 : head.substring(0, end).indexOf("encoding");
    int quote = at < 0 ? -1 : at + 8;
    while (quote >= 0 && quote < end && head.charAt(quote) != '"' && head.charAt(quote) != '\'') {
      quote++;
    }
    int close = quote < 0 || quote >= end ? -1 : head.indexOf(head.charAt(quote), quote + 1);
    return close < 0 ? "utf-8" : head.substring(quote + 1, close);
  }

  private static boolean begins(byte[] bytes, int... with) {
    for (int i = 0; i < with.length; i++) {
      if (i >= bytes.length || (bytes[i] & 0xff) != with[i]) {
        return false;
      }
    }
    return true;
  }
}
