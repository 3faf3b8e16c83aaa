package org.understudy.session.http;

import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.Charset;
import java.util.Locale;

/**
 * The answer of one run of the web application, held back until the session's update is stable. Status and headers go to the real
 * response, which is not committed. An answer beyond the bound is sent while it is written. Belongs to one request.
 */
public final class BufferedResponse extends HttpServletResponseWrapper {
  private static final String EVENT_STREAM = "text/event-stream";

  private final HttpServletResponse real;
  private final int maxBytes;
  private final Runnable unprotecting;
  private final ByteArrayOutputStream body = new ByteArrayOutputStream(1_024);
  private final Stream stream = new Stream();
  private PrintWriter writer;
  /** Below the writer; flushing it does not commit. */
  private OutputStreamWriter encoder;
  /** Of the writer. */
  private String encoding;
  private boolean streamUsed;
  /** The web application has flushed, or ended the answer. */
  private boolean committed;
  /** What is written is dropped, as after a redirect. */
  private boolean closed;
  private boolean unprotected;
  private boolean announced;

  /**
   * @param maxBytes of the body that are held back
   * @param unprotecting runs once, before an answer begins to be sent that is longer; may still add headers
   */
  public BufferedResponse(HttpServletResponse real, int maxBytes, Runnable unprotecting) {
    super(real);
    this.real = real;
    this.maxBytes = maxBytes;
    this.unprotecting = unprotecting;
  }

  /** Whether the answer is sent while it is written. */
  public boolean isUnprotected() {
    return unprotected;
  }

  /** Sends what has been written, and everything else at once. */
  public void unprotect() throws IOException {
    if (!unprotected) {
      if (!announced) {
        announced = true;
        unprotecting.run();
      }
      unprotected = true;
      body.writeTo(real.getOutputStream());
      body.reset();
    }
  }

  /**
   * Holds back what is written from now on, as before {@link #unprotect}, if nothing has been written.
   *
   * @return whether the answer is held back
   */
  public boolean holdBackAgain() {
    boolean begun = writer != null || streamUsed || committed || closed || real.isCommitted();
    unprotected = unprotected && begun;
    return !unprotected;
  }

  /** Ends the answer: what is written from now on is dropped. */
  public void end() {
    encode();
    closed = true;
  }

  /** Forgets what has been written before an error, and takes the page that is shown for it. Nothing has been sent. */
  public void beginErrorPage() {
    body.reset();
    writer = null;
    encoder = null;
    streamUsed = false;
    committed = false;
    closed = false;
  }

  /** The body so far. */
  public byte[] body() {
    encode();
    return body.toByteArray();
  }

  @Override
  public ServletOutputStream getOutputStream() {
    if (writer != null) {
      throw new IllegalStateException("getWriter() has been called for this response.");
    }
    streamUsed = true;
    return stream;
  }

  @Override
  public PrintWriter getWriter() {
    if (streamUsed) {
      throw new IllegalStateException("getOutputStream() has been called for this response.");
    }
    if (writer == null) {
      encoding = getCharacterEncoding();
      // Announces the encoding in the content type, as getWriter of the real response does.
      setCharacterEncoding(encoding);
      encoder = new OutputStreamWriter(new Unflushed(), Charset.forName(encoding));
      writer =
          new PrintWriter(new Unbuffered()) {
            @Override
            public void flush() {
              super.flush();
              try {
                flushed();
              } catch (IOException e) {
                // As a PrintWriter does with any other failure.
                setError();
              }
            }

            @Override
            public void close() {
              super.close();
              closed = true;
            }
          };
    }
    return writer;
  }

  /** Ignored after getWriter, as by Tomcat: the characters are encoded already. */
  @Override
  public void setCharacterEncoding(String name) {
    if (writer == null) {
      super.setCharacterEncoding(name);
    }
  }

  @Override
  public void setContentType(String type) {
    super.setContentType(type);
    if (writer != null && type != null) {
      super.setCharacterEncoding(encoding);
    }
  }

  private void encode() {
    try {
      if (encoder != null && !closed) {
        encoder.flush();
      }
    } catch (IOException e) {
      throw new UncheckedIOException("The client closed its connection.", e);
    }
  }

  @Override
  public void flushBuffer() throws IOException {
    encode();
    flushed();
  }

  /** Sends what has been flushed, if the answer is sent while it is written. A stream of events is of no use to its reader at its end. */
  private void flushed() throws IOException {
    committed = true;
    String type = getContentType();
    if (type != null && type.toLowerCase(Locale.ROOT).startsWith(EVENT_STREAM)) {
      unprotect();
    }
    if (unprotected) {
      real.flushBuffer();
    }
  }

  @Override
  public boolean isCommitted() {
    return committed || closed || real.isCommitted();
  }

  @Override
  public void setBufferSize(int size) {
    // The bound is the administrator's.
  }

  @Override
  public int getBufferSize() {
    return maxBytes;
  }

  @Override
  public void reset() {
    checkNotCommitted();
    real.reset();
    body.reset();
    writer = null;
    encoder = null;
    streamUsed = false;
  }

  @Override
  public void resetBuffer() {
    checkNotCommitted();
    clear();
  }

  private void clear() {
    encode();
    body.reset();
  }

  private void checkNotCommitted() {
    if (isCommitted()) {
      throw new IllegalStateException("The response has been committed.");
    }
  }

  @Override
  public void sendError(int status, String message) throws IOException {
    checkNotCommitted();
    super.sendError(status, message);
    endUnlessIncluded(true);
  }

  @Override
  public void sendError(int status) throws IOException {
    checkNotCommitted();
    super.sendError(status);
    endUnlessIncluded(true);
  }

  @Override
  public void sendRedirect(String location) throws IOException {
    checkNotCommitted();
    super.sendRedirect(location);
    endUnlessIncluded(true);
  }

  @Override
  public void sendRedirect(String location, int status, boolean clearBuffer) throws IOException {
    checkNotCommitted();
    super.sendRedirect(location, status, clearBuffer);
    endUnlessIncluded(clearBuffer);
  }

  /** While a servlet is included, Tomcat wraps the real response and ignores errors and redirects. */
  private void endUnlessIncluded(boolean clear) {
    if (real.isCommitted()) {
      if (clear) {
        clear();
      }
      closed = true;
    }
  }

  /** Passes characters to the encoder. Holds back none of an answer that is sent while it is written: nothing flushes it later. */
  private final class Unbuffered extends Writer {
    @Override
    public void write(char[] characters, int offset, int length) throws IOException {
      encoder.write(characters, offset, length);
      if (unprotected) {
        encoder.flush();
      }
    }

    @Override
    public void flush() throws IOException {
      encoder.flush();
    }

    @Override
    public void close() throws IOException {
      encoder.close();
    }
  }

  /** What the writer's encoder writes to. */
  private final class Unflushed extends OutputStream {
    @Override
    public void write(int one) throws IOException {
      stream.write(one);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
      stream.write(bytes, offset, length);
    }
  }

  private final class Stream extends ServletOutputStream {
    @Override
    public void write(int one) throws IOException {
      write(new byte[] {(byte) one}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
      if (closed) {
        return;
      }
      if (!unprotected && body.size() + length > maxBytes) {
        unprotect();
      }
      if (unprotected) {
        real.getOutputStream().write(bytes, offset, length);
      } else {
        body.write(bytes, offset, length);
      }
    }

    @Override
    public void flush() throws IOException {
      flushed();
    }

    @Override
    public void close() throws IOException {
      if (unprotected) {
        real.getOutputStream().close();
      }
      closed = true;
    }

    @Override
    public boolean isReady() {
      try {
        return !unprotected || real.getOutputStream().isReady();
      } catch (IOException e) {
        return true;
      }
    }

    @Override
    public void setWriteListener(WriteListener listener) {
      if (!unprotected) {
        throw new IllegalStateException("Only an asynchronous request may have a WriteListener.");
      }
      try {
        real.getOutputStream().setWriteListener(listener);
      } catch (IOException e) {
        throw new IllegalStateException("The response has no stream.", e);
      }
    }
  }
}
