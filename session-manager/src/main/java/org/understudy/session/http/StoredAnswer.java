package org.understudy.session.http;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * An answer as it is replicated, stored, and sent again to a repeated request.
 *
 * @param session the id of the session after the request; empty for none
 * @param kept whether the answer is complete; false for one that was sent while it was written
 * @param error whether the web application ended with sendError: then Tomcat makes the body, from {@code message}
 * @param message null for none
 * @param contentType null for none
 */
public record StoredAnswer(
    String session, boolean kept, int status, boolean error, String message, String contentType, List<Header> headers, byte[] body) {
  /** The form of these bytes in a stored response. */
  public static final byte FORM = 1;

  /** One header. */
  public record Header(String name, String value) {}

  public StoredAnswer {
    headers = List.copyOf(headers);
  }

  /** An answer of which nothing is kept. */
  public static StoredAnswer unkept(String session) {
    return new StoredAnswer(session, false, 0, false, null, null, List.of(), new byte[0]);
  }

  public byte[] encode() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(256 + body.length);
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      write(out, session);
      out.writeBoolean(kept);
      out.writeShort(status);
      out.writeBoolean(error);
      write(out, message);
      write(out, contentType);
      out.writeInt(headers.size());
      for (Header header : headers) {
        write(out, header.name());
        write(out, header.value());
      }
      out.writeInt(body.length);
      out.write(body);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  private static void write(DataOutputStream out, String text) throws IOException {
    byte[] bytes = text == null ? new byte[0] : text.getBytes(StandardCharsets.UTF_8);
    out.writeInt(text == null ? -1 : bytes.length);
    out.write(bytes);
  }

  /** Reads what {@link #encode} wrote, here or at another replica. */
  public static StoredAnswer decode(byte[] bytes) {
    try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
      String session = text(in);
      boolean kept = in.readBoolean();
      int status = in.readUnsignedShort();
      boolean error = in.readBoolean();
      String message = text(in);
      String contentType = text(in);
      List<Header> headers = new ArrayList<>();
      for (int left = in.readInt(); left > 0; left--) {
        headers.add(new Header(text(in), text(in)));
      }
      return new StoredAnswer(session, kept, status, error, message, contentType, headers, in.readNBytes(in.readInt()));
    } catch (IOException e) {
      throw new IllegalArgumentException("A stored answer ends early.", e);
    }
  }

  private static String text(DataInputStream in) throws IOException {
    int length = in.readInt();
    return length < 0 ? null : new String(in.readNBytes(length), StandardCharsets.UTF_8);
  }
}
