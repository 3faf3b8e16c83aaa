package org.understudy.container.intake;

import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletRequestWrapper;
import jakarta.servlet.http.HttpServletRequest;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStreamWriter;
import java.io.Reader;
import java.io.Writer;
import java.nio.charset.StandardCharsets;

/**
 * The body that a filter of the application passes on in place of the container's: one that it has read, changed or only watches. Such a
 * stream is read as servlets read it. Few of them report what is available, or call a listener.
 */
final class ReplayedBody {
  private ReplayedBody() {}

  /** Returns the stream of a request; null when it is the container's own. */
  static InputStream of(HttpServletRequest request) throws IOException {
    ServletRequest innermost = request;
    while (innermost instanceof ServletRequestWrapper wrapper) {
      innermost = wrapper.getRequest();
    }
    if (innermost == request) {
      return null;
    }
    InputStream stream;
    try {
      // First, because it may read the container's request in either way.
      stream = request.getInputStream();
    } catch (IllegalStateException e) {
      return encoded(request);
    }
    try {
      return stream == innermost.getInputStream() ? null : stream;
    } catch (IllegalStateException e) {
      // The filter has read the container's request by its reader.
      return stream;
    }
  }

  /** A filter that has read the characters of a body may pass on nothing else. */
  private static InputStream encoded(HttpServletRequest request) throws IOException {
    String named = request.getCharacterEncoding();
    return new EncodedReader(request.getReader(), named == null ? StandardCharsets.ISO_8859_1.name() : named);
  }

  private static final class EncodedReader extends InputStream {
    private final Reader reader;
    private final char[] chars = new char[4_096];
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final Writer encoder;
    private ByteArrayInputStream part = new ByteArrayInputStream(new byte[0]);

    EncodedReader(Reader reader, String charset) throws IOException {
      this.reader = reader;
      this.encoder = new OutputStreamWriter(bytes, charset);
    }

    @Override
    public int read() throws IOException {
      return isFilled() ? part.read() : -1;
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
      return isFilled() ? part.read(into, offset, length) : -1;
    }

    private boolean isFilled() throws IOException {
      while (part.available() == 0) {
        int count = reader.read(chars);
        if (count < 0) {
          return false;
        }
        encoder.write(chars, 0, count);
        encoder.flush();
        part = new ByteArrayInputStream(bytes.toByteArray());
        bytes.reset();
      }
      return true;
    }
  }
}
