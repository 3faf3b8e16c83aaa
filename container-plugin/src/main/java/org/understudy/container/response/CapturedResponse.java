package org.understudy.container.response;

import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.WriteListener;
import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;

/**
 * Captures the service's response instead of sending it: it is sent only when it is stable. HTTP headers and cookies that the
 * service sets are dropped, because a stored response has none. The service therefore cannot set the container's headers.
 */
public final class CapturedResponse extends HttpServletResponseWrapper {
  /** The request attribute that holds the response. */
  private static final String ATTRIBUTE = CapturedResponse.class.getName();

  private BoundedContent content;
  private int status = 200;
  private String contentType;

  /** @param content takes what is written; empty */
  public CapturedResponse(HttpServletResponse response, BoundedContent content) {
    super(response);
    this.content = content;
  }

  /** Makes this the response of the request for {@link #contentFor}. */
  public void announceTo(ServletRequest request) {
    request.setAttribute(ATTRIBUTE, this);
  }

  /**
   * Returns what takes the response of a request; null if it is not captured.
   *
   * @param request the transport's request, as the service's stack provides it
   */
  public static BoundedContent contentFor(Object request) {
    return request instanceof ServletRequest servlet && servlet.getAttribute(ATTRIBUTE) instanceof CapturedResponse captured
        ? captured.content()
        : null;
  }

  /** Returns what was written. */
  public BoundedContent content() {
    return content;
  }

  /** Replaces what was written. */
  public void replace(BoundedContent other) {
    content = other;
  }

  @Override
  public ServletOutputStream getOutputStream() {
    return new ServletOutputStream() {
      @Override
      public void write(int b) {
        content.write(b);
      }

      @Override
      public void write(byte[] from, int offset, int length) {
        content.write(from, offset, length);
      }

      @Override
      public boolean isReady() {
        return true;
      }

      @Override
      public void setWriteListener(WriteListener listener) {
        throw new IllegalStateException("This response is captured; writing never waits.");
      }
    };
  }

  @Override
  public PrintWriter getWriter() {
    return new PrintWriter(content, true, StandardCharsets.UTF_8);
  }

  @Override
  public int getStatus() {
    return status;
  }

  @Override
  public void setStatus(int status) {
    this.status = status;
  }

  @Override
  public void sendError(int status) {
    this.status = status;
  }

  @Override
  public void sendError(int status, String message) {
    this.status = status;
  }

  @Override
  public void setContentType(String type) {
    contentType = type;
  }

  @Override
  public String getContentType() {
    return contentType;
  }

  @Override
  public void setContentLength(int length) {}

  @Override
  public void setContentLengthLong(long length) {}

  @Override
  public void setHeader(String name, String value) {
    if (name.equalsIgnoreCase("Content-Type")) {
      contentType = value;
    }
  }

  @Override
  public void addHeader(String name, String value) {
    setHeader(name, value);
  }

  @Override
  public void setDateHeader(String name, long date) {}

  @Override
  public void addDateHeader(String name, long date) {}

  @Override
  public void setIntHeader(String name, int value) {}

  @Override
  public void addIntHeader(String name, int value) {}

  @Override
  public void addCookie(Cookie cookie) {}

  @Override
  public void setTrailerFields(Supplier<Map<String, String>> supplier) {}

  @Override
  public void setCharacterEncoding(String charset) {}

  @Override
  public void setLocale(Locale locale) {}

  @Override
  public void setBufferSize(int size) {}

  @Override
  public void sendRedirect(String location) {
    status = HttpServletResponse.SC_FOUND;
  }

  @Override
  public void flushBuffer() {}

  @Override
  public boolean isCommitted() {
    return false;
  }

  @Override
  public void reset() {
    content.reset();
  }

  @Override
  public void resetBuffer() {
    content.reset();
  }
}
