package org.understudy.container.request;

import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;

/** A request whose body has been read, for the service to read again. */
final class BufferedRequest extends HttpServletRequestWrapper {
  private final ByteArrayInputStream body;

  private final String servicePath;

  /** @param servicePath what the service sees as its path, whatever resource the URL names behind it */
  BufferedRequest(HttpServletRequest request, byte[] body, String servicePath) {
    super(request);
    this.body = new ByteArrayInputStream(body);
    this.servicePath = servicePath;
  }

  @Override
  public String getPathInfo() {
    return servicePath.substring(getServletPath().length());
  }

  @Override
  public String getRequestURI() {
    return getContextPath() + servicePath;
  }

  @Override
  public StringBuffer getRequestURL() {
    StringBuffer url = super.getRequestURL();
    int at = url.indexOf(servicePath);
    if (at >= 0) {
      url.setLength(at + servicePath.length());
    }
    return url;
  }

  /**
   * Reads the whole body.
   *
   * @return null when it is longer than {@code most} bytes
   */
  static byte[] read(HttpServletRequest request, int most) throws IOException {
    long announced = request.getContentLengthLong();
    if (announced > most) {
      return null;
    }
    InputStream in = request.getInputStream();
    byte[] bytes = announced >= 0 ? in.readNBytes((int) announced) : in.readNBytes(most + 1);
    return bytes.length > most ? null : bytes;
  }

  @Override
  public ServletInputStream getInputStream() {
    return new ServletInputStream() {
      @Override
      public int read() {
        return body.read();
      }

      @Override
      public int read(byte[] into, int offset, int length) {
        return body.read(into, offset, length);
      }

      @Override
      public boolean isFinished() {
        return body.available() == 0;
      }

      @Override
      public boolean isReady() {
        return true;
      }

      @Override
      public void setReadListener(ReadListener listener) {
        throw new IllegalStateException("The body has been read; a listener has nothing to wait for.");
      }
    };
  }

  @Override
  public boolean isAsyncSupported() {
    // The exchange parks, not the service.
    return false;
  }
}
