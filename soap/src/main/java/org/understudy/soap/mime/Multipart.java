package org.understudy.soap.mime;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import org.understudy.soap.envelope.SoapVersion;

/**
 * A message with attachments (MTOM, or SOAP with Attachments): the root part, which holds the envelope, and the others as
 * they came. It is always written anew, with the root first and a boundary that no sender can know in advance, so that
 * every reader finds the same parts in it.
 *
 * @param rootType content type of the root part
 * @param root content of the root part
 * @param attachments the other parts in their order: header fields, an empty line and the content of each
 */
public record Multipart(String rootType, byte[] root, List<byte[]> attachments) {
  private static final int MAX_PARTS = 1_000;
  private static final int MAX_FIELDS_BYTES = 16 << 10;
  private static final String XOP = "application/xop+xml";
  private static final byte[] LINE = {'\r', '\n'};
  private static final byte[] EMPTY_LINE = {'\r', '\n', '\r', '\n'};

  /** A message in the form in which it is sent. */
  public record Written(String contentType, byte[] bytes) {}

  /** One attachment; the id without angle brackets, and empty texts for what it does not state. */
  public record Part(String id, String type, byte[] content) {}

  /**
   * The header of one attachment.
   *
   * @param id without angle brackets; the empty string when it has none
   * @param others the other header fields, one a line
   * @param end the position of the content in the attachment
   */
  public record PartHeader(String id, String others, int end) {}

  /** The headers of the attachments in their order. */
  public List<PartHeader> headers() {
    List<PartHeader> all = new ArrayList<>();
    for (byte[] part : attachments) {
      String id = null;
      StringBuilder others = new StringBuilder();
      for (String line : fields(part).split("\r\n")) {
        if (id == null && isField(line, "content-id")) {
          id = unbracketed(value(line));
        } else {
          others.append(line).append("\r\n");
        }
      }
      all.add(new PartHeader(id == null ? "" : id, others.toString(), endOfFields(part) + EMPTY_LINE.length));
    }
    return all;
  }

  /** The attachments in their order. Their transfer encoding is expected to be binary. */
  public List<Part> parts() {
    List<Part> all = new ArrayList<>();
    for (byte[] part : attachments) {
      String fields = fields(part);
      byte[] content = Arrays.copyOfRange(part, endOfFields(part) + EMPTY_LINE.length, part.length);
      all.add(new Part(unbracketed(field(fields, "content-id")), field(fields, "content-type"), content));
    }
    return all;
  }

  /** Whether a message of this content type has several parts. */
  public static boolean is(String contentType) {
    return contentType != null && ContentType.of(contentType).isMultipart();
  }

  /**
   * Finds the parts of a message.
   *
   * @throws IllegalArgumentException when the bytes do not hold the parts that the content type announces; the message
   *     says why
   */
  public static Multipart read(byte[] bytes, int length, String contentType) {
    ContentType type = ContentType.of(contentType);
    String boundary = type.parameter("boundary");
    if (boundary == null || boundary.isEmpty() || boundary.length() > 200) {
      throw new IllegalArgumentException("The content type multipart/related needs a boundary of up to 200 characters.");
    }
    List<byte[]> parts = parts(bytes, length, ("--" + boundary).getBytes(StandardCharsets.ISO_8859_1));
    String start = type.parameter("start");
    int root = start == null ? 0 : indexOf(parts, start);
    String fields = fields(parts.get(root));
    String encoding = field(fields, "content-transfer-encoding").toLowerCase(Locale.ROOT);
    if (encoding.equals("base64") || encoding.equals("quoted-printable")) {
      throw new IllegalArgumentException("The root part has the transfer encoding " + encoding + "; send it as binary.");
    }
    byte[] part = parts.remove(root);
    byte[] content = Arrays.copyOfRange(part, endOfFields(part) + EMPTY_LINE.length, part.length);
    return new Multipart(field(fields, "content-type"), content, parts);
  }

  private static List<byte[]> parts(byte[] bytes, int length, byte[] delimiter) {
    List<byte[]> parts = new ArrayList<>();
    int at = startsWith(bytes, length, 0, delimiter) ? 0 : afterLine(bytes, length, 0, delimiter);
    while (at >= 0) {
      int from = at + delimiter.length;
      if (startsWith(bytes, length, from, new byte[] {'-', '-'})) {
        break;
      }
      while (from < length && (bytes[from] == ' ' || bytes[from] == '\t')) {
        from++;
      }
      if (!startsWith(bytes, length, from, LINE)) {
        throw new IllegalArgumentException("A boundary of the multipart message is not a line of its own.");
      }
      // A part without header fields begins with the empty line itself.
      from = startsWith(bytes, length, from, EMPTY_LINE) ? from : from + LINE.length;
      at = afterLine(bytes, length, from, delimiter);
      if (at < 0) {
        throw new IllegalArgumentException("The multipart message ends within a part.");
      }
      byte[] part = Arrays.copyOfRange(bytes, from, Math.max(from, at - LINE.length));
      if (endOfFields(part) < 0) {
        throw new IllegalArgumentException(
            "A part of the multipart message has no empty line after header fields of at most " + MAX_FIELDS_BYTES + " bytes.");
      }
      parts.add(part);
      if (parts.size() > MAX_PARTS) {
        throw new IllegalArgumentException("The multipart message has more than " + MAX_PARTS + " parts.");
      }
    }
    if (parts.isEmpty()) {
      throw new IllegalArgumentException("The multipart message has no part.");
    }
    return parts;
  }

  /** The next position of the delimiter at the beginning of a line, or -1. */
  private static int afterLine(byte[] bytes, int length, int from, byte[] delimiter) {
    for (int i = Math.max(from - LINE.length, 0); i + LINE.length + delimiter.length <= length; i++) {
      if (bytes[i] == '\r' && bytes[i + 1] == '\n' && startsWith(bytes, length, i + LINE.length, delimiter)) {
        return i + LINE.length;
      }
    }
    return -1;
  }

  private static boolean startsWith(byte[] bytes, int length, int at, byte[] with) {
    return at + with.length <= length && Arrays.equals(bytes, at, at + with.length, with, 0, with.length);
  }

  /** The position of the empty line after the header fields, or -1; 0 when there are no fields. */
  private static int endOfFields(byte[] part) {
    for (int i = 0; i + EMPTY_LINE.length <= part.length && i < MAX_FIELDS_BYTES; i++) {
      if (startsWith(part, part.length, i, EMPTY_LINE)) {
        return i;
      }
    }
    return -1;
  }

  private static String fields(byte[] part) {
    return new String(part, 0, endOfFields(part), StandardCharsets.ISO_8859_1).replaceAll("\r\n[ \t]+", " ");
  }

  /** The value of a header field, or the empty string. */
  private static String field(String fields, String name) {
    for (String line : fields.split("\r\n")) {
      if (isField(line, name)) {
        return value(line);
      }
    }
    return "";
  }

  private static boolean isField(String line, String name) {
    int colon = line.indexOf(':');
    return colon > 0 && line.substring(0, colon).strip().equalsIgnoreCase(name);
  }

  private static String value(String line) {
    return line.substring(line.indexOf(':') + 1).strip();
  }

  private static int indexOf(List<byte[]> parts, String id) {
    for (int i = 0; i < parts.size(); i++) {
      if (unbracketed(field(fields(parts.get(i)), "content-id")).equals(unbracketed(id))) {
        return i;
      }
    }
    throw new IllegalArgumentException("The multipart message has no part with the start id of its content type.");
  }

  private static String unbracketed(String id) {
    return id.startsWith("<") && id.endsWith(">") ? id.substring(1, id.length() - 1) : id;
  }

  /** These attachments around another envelope in UTF-8, ready to be sent. */
  public Written write(byte[] envelope, SoapVersion version) {
    String boundary = "understudy-" + UUID.randomUUID();
    String id = "<" + UUID.randomUUID() + "@understudy>";
    String startInfo = version == SoapVersion.SOAP12 ? "application/soap+xml" : "text/xml";
    boolean xop = ContentType.of(rootType).type().equals(XOP);
    String type = xop ? XOP : startInfo;
    int size = 512 + envelope.length;
    for (byte[] attachment : attachments) {
      size += attachment.length + 64;
    }
    ByteArrayOutputStream out = new ByteArrayOutputStream(size);
    ascii(out, "--" + boundary + "\r\nContent-Type: " + type + "; charset=UTF-8" + (xop ? "; type=\"" + startInfo + "\"" : ""));
    ascii(out, "\r\nContent-Transfer-Encoding: binary\r\nContent-ID: " + id + "\r\n\r\n");
    out.writeBytes(envelope);
    for (byte[] attachment : attachments) {
      ascii(out, "\r\n--" + boundary + "\r\n");
      out.writeBytes(attachment);
    }
    ascii(out, "\r\n--" + boundary + "--\r\n");
    String contentType =
        "multipart/related; type=\"" + type + "\"; boundary=\"" + boundary + "\"; start=\"" + id + "\"; start-info=\""
            + startInfo + "\"";
    return new Written(contentType, out.toByteArray());
  }

  private static void ascii(ByteArrayOutputStream out, String text) {
    out.writeBytes(text.getBytes(StandardCharsets.ISO_8859_1));
  }

  /** These attachments with another root, in one array for {@link #unpack}. */
  public byte[] pack(byte[] otherRoot) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(otherRoot.length + 1_024);
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      out.writeUTF(rootType);
      out.writeInt(otherRoot.length);
      out.write(otherRoot);
      out.writeInt(attachments.size());
      for (byte[] attachment : attachments) {
        out.writeInt(attachment.length);
        out.write(attachment);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  /** Decodes what {@link #pack} made. */
  public static Multipart unpack(byte[] packed) {
    try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(packed))) {
      String rootType = in.readUTF();
      byte[] root = in.readNBytes(in.readInt());
      List<byte[]> attachments = new ArrayList<>();
      for (int left = in.readInt(); left > 0; left--) {
        attachments.add(in.readNBytes(in.readInt()));
      }
      return new Multipart(rootType, root, attachments);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
