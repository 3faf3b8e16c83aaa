package org.understudy.lab.attack;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.IntStream;
import java.util.zip.GZIPOutputStream;
import org.understudy.lab.cluster.Envelopes;
import org.understudy.soap.envelope.SoapVersion;
import org.understudy.soap.mime.Multipart;

/**
 * Requests with the largest body that a replica permits by default. They are valid, so that a replica converts, parses, forwards and
 * executes what its limits admit.
 */
final class LargeBodies {
  /** The default of {@code understudy.request.bytes}. */
  static final int LARGEST = 4 << 20;
  /** What the head of a message with several parts, and those of a few parts, take at most. */
  private static final int HEADS = 4_096;
  private static final int FEW_PARTS = 40;
  private static final int MANY_PARTS = 900;
  private static final String HOLE = "\u0000";

  private LargeBodies() {}

  /** A header block fills the body with one character. */
  static byte[] text(Target target, String path, Charset charset, String character) {
    return target.post(path, "text/xml; charset=" + charset.name(), envelope(charset, character, LARGEST));
  }

  private static byte[] envelope(Charset charset, String character, int length) {
    String[] around = Envelopes.add("<filler xmlns=\"urn:attack\">" + HOLE + "</filler>", 0).split(HOLE);
    int left = length - around[0].getBytes(charset).length - around[1].getBytes(charset).length;
    return (around[0] + character.repeat(left / character.getBytes(charset).length) + around[1]).getBytes(charset);
  }

  /** Some kilobytes that a server which decodes them takes for the largest body. */
  static byte[] compressed(Target target, String path) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(bytes)) {
      gzip.write(envelope(StandardCharsets.ISO_8859_1, "\u00e9", LARGEST));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return target.post(path, "text/xml; charset=ISO-8859-1", bytes.toByteArray(), "Content-Encoding: gzip");
  }

  /** An XOP package: one half is the envelope, the other a part to which the envelope refers. */
  static byte[] xop(Target target, String path) {
    String include = "<i:Include xmlns:i=\"http://www.w3.org/2004/08/xop/include\" href=\"cid:part-0\"/>";
    byte[] half = envelope(StandardCharsets.UTF_8, "\u20ac", LARGEST / 2 - HEADS);
    String root = new String(half, StandardCharsets.UTF_8).replace("</filler>", "</filler><data>" + include + "</data>");
    return multipart(target, path, "application/xop+xml", root, parts(1, LARGEST / 2));
  }

  /** Parts to which nothing in the envelope refers: one, a few that are too large for memory, or many small ones. */
  static byte[] unusedParts(Target target, String path, long number) {
    List<byte[]> parts = switch ((int) (number % 3)) {
      case 0 -> parts(1, LARGEST - 2 * HEADS);
      case 1 -> parts(FEW_PARTS, (LARGEST - 4 * HEADS) / FEW_PARTS);
      default -> parts(MANY_PARTS, (LARGEST - 50 * HEADS) / MANY_PARTS);
    };
    return multipart(target, path, "text/xml", Envelopes.add("", 0), parts);
  }

  private static List<byte[]> parts(int count, int bytes) {
    return IntStream.range(0, count)
        .mapToObj(n -> ("Content-Type: application/octet-stream\r\nContent-ID: <part-" + n + ">\r\n\r\n" + "a".repeat(bytes))
            .getBytes(StandardCharsets.US_ASCII))
        .toList();
  }

  private static byte[] multipart(Target target, String path, String rootType, String root, List<byte[]> parts) {
    Multipart.Written written =
        new Multipart(rootType, new byte[0], parts).write(root.getBytes(StandardCharsets.UTF_8), SoapVersion.SOAP11);
    return target.post(path, written.contentType(), written.bytes());
  }
}
