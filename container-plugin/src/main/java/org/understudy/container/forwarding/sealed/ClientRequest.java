package org.understudy.container.forwarding.sealed;

import jakarta.servlet.http.HttpServletRequest;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.cert.CertificateEncodingException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import org.understudy.container.caller.RequestTarget;
import org.understudy.container.caller.SentContentType;

/**
 * A client's HTTP request without its message: its end-to-end fields, what it addressed, where it came from, and whom the server that took
 * it has authenticated. Fields are those that a servlet behind the application's filters sees.
 *
 * @param path that of the request line after the path of the web application, as the client wrote it
 * @param query null without one
 * @param host name of the server that the client addressed
 * @param address of the client, as the server knows it
 * @param user null without one
 * @param certificates of the client, its own first; empty without TLS
 * @param fields of the header without those of one connection
 */
public record ClientRequest(
    String path,
    String query,
    String scheme,
    boolean secure,
    String host,
    int port,
    String address,
    AuthenticatedUser user,
    List<X509Certificate> certificates,
    List<HeaderField> fields) {
  /** The servlet attribute of the client's certificates. */
  public static final String CERTIFICATES = "jakarta.servlet.request.X509Certificate";
  /** The longest form, in bytes: a server accepts 8 kB of header fields by default. */
  public static final int MAX_BYTES = 1 << 20;

  private static final int MAX_LIST = 10_000;
  private static final byte FORMAT = 1;
  /** Those that describe the body, which is sent in another form, or how this server takes it. */
  private static final Set<String> OF_BODY = Set.of("expect", "content-length", "content-type", "http2-settings");

  /**
   * Returns what a client has sent.
   *
   * @param request as a servlet behind the filters of the application sees it, while it is open
   */
  public static ClientRequest of(HttpServletRequest request) {
    X509Certificate[] certificates =
        request.getAttribute(CERTIFICATES) instanceof X509Certificate[] known ? known : new X509Certificate[0];
    return new ClientRequest(
        RequestTarget.written(request),
        request.getQueryString(),
        request.getScheme(),
        request.isSecure(),
        request.getServerName(),
        request.getServerPort(),
        request.getRemoteAddr(),
        AuthenticatedUser.of(request),
        List.of(certificates),
        fields(request));
  }

  private static List<HeaderField> fields(HttpServletRequest request) {
    Set<String> left = new TreeSet<>(OF_BODY);
    for (String named : Collections.list(request.getHeaders("Connection"))) {
      left.addAll(List.of(named.toLowerCase(Locale.ROOT).strip().split("\\s*,\\s*")));
    }
    List<HeaderField> fields = new ArrayList<>();
    String type = SentContentType.of(request);
    if (type != null) {
      fields.add(new HeaderField("Content-Type", type));
    }
    Set<String> seen = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
    for (String name : Collections.list(request.getHeaderNames())) {
      if (seen.add(name) && !HeaderField.isOfOneHop(name) && !left.contains(name.toLowerCase(Locale.ROOT))) {
        Collections.list(request.getHeaders(name)).forEach(value -> fields.add(new HeaderField(name, value)));
      }
    }
    return fields;
  }

  /** Returns the value of the first field of a name, or null. */
  public String field(String name) {
    for (HeaderField field : fields) {
      if (field.name().equalsIgnoreCase(name)) {
        return field.value();
      }
    }
    return null;
  }

  /** Returns the form that {@link #read} reads; it may be longer than {@link #MAX_BYTES}. */
  public byte[] write() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(1_024);
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      out.writeByte(FORMAT);
      text(out, path);
      text(out, query);
      text(out, scheme);
      out.writeBoolean(secure);
      text(out, host);
      out.writeInt(port);
      text(out, address);
      out.writeBoolean(user != null);
      if (user != null) {
        text(out, user.name());
        text(out, user.method());
        out.writeInt(user.roles().size());
        for (String role : user.roles()) {
          text(out, role);
        }
      }
      out.writeInt(certificates.size());
      for (X509Certificate certificate : certificates) {
        bytes(out, certificate.getEncoded());
      }
      out.writeInt(fields.size());
      for (HeaderField field : fields) {
        text(out, field.name());
        text(out, field.value());
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (CertificateEncodingException e) {
      throw new IllegalStateException("The certificate of a client cannot be encoded.", e);
    }
    return bytes.toByteArray();
  }

  /**
   * Reads what {@link #write} has written. Call it for proved bytes only: a certificate is taken as verified.
   *
   * @throws IOException when the bytes have another form
   */
  public static ClientRequest read(byte[] written) throws IOException {
    try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(written))) {
      if (in.readByte() != FORMAT) {
        throw new IOException("The form of the forwarded request is of another version of Understudy.");
      }
      String path = text(in);
      String query = text(in);
      String scheme = text(in);
      boolean secure = in.readBoolean();
      String host = text(in);
      int port = in.readInt();
      String address = text(in);
      AuthenticatedUser user = in.readBoolean() ? user(in) : null;
      List<X509Certificate> certificates = new ArrayList<>();
      for (int left = size(in); left > 0; left--) {
        certificates.add(certificate(bytes(in)));
      }
      List<HeaderField> fields = new ArrayList<>();
      for (int left = size(in); left > 0; left--) {
        fields.add(new HeaderField(text(in), text(in)));
      }
      return new ClientRequest(path, query, scheme, secure, host, port, address, user, certificates, fields);
    }
  }

  private static AuthenticatedUser user(DataInputStream in) throws IOException {
    String name = text(in);
    String method = text(in);
    List<String> roles = new ArrayList<>();
    for (int left = size(in); left > 0; left--) {
      roles.add(text(in));
    }
    return new AuthenticatedUser(name, method, roles);
  }

  private static X509Certificate certificate(byte[] encoded) throws IOException {
    try {
      return (X509Certificate) CertificateFactory.getInstance("X.509").generateCertificate(new ByteArrayInputStream(encoded));
    } catch (CertificateException e) {
      throw new IOException("The certificate of a client cannot be read.", e);
    }
  }

  private static void text(DataOutputStream out, String text) throws IOException {
    bytes(out, text == null ? null : text.getBytes(StandardCharsets.UTF_8));
  }

  private static String text(DataInputStream in) throws IOException {
    byte[] bytes = bytes(in);
    return bytes == null ? null : new String(bytes, StandardCharsets.UTF_8);
  }

  private static void bytes(DataOutputStream out, byte[] bytes) throws IOException {
    out.writeInt(bytes == null ? -1 : bytes.length);
    if (bytes != null) {
      out.write(bytes);
    }
  }

  private static byte[] bytes(DataInputStream in) throws IOException {
    int length = in.readInt();
    if (length < 0) {
      return null;
    }
    byte[] bytes = in.readNBytes(Math.min(length, MAX_BYTES));
    if (bytes.length < length) {
      throw new IOException("The forwarded request ends too early.");
    }
    return bytes;
  }

  private static int size(DataInputStream in) throws IOException {
    int size = in.readInt();
    if (size < 0 || size > MAX_LIST) {
      throw new IOException("A list in the forwarded request has " + size + " elements.");
    }
    return size;
  }

  /** Without the fields, which may hold credentials. */
  @Override
  public String toString() {
    return path + " of " + address;
  }
}
