package org.understudy.container.intake;

import jakarta.servlet.ServletInputStream;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;

/** A request whose body is in memory, for servlets that read it as a stream. */
final class ReceivedRequest extends HttpServletRequestWrapper {
  private ServletInputStream stream;

  ReceivedRequest(HttpServletRequest request) {
    super(request);
  }

  private ReceivedBody body() {
    return ReceivedBody.of(getRequest());
  }

  @Override
  public int getContentLength() {
    return (int) Math.min(Integer.MAX_VALUE, body().length());
  }

  @Override
  public long getContentLengthLong() {
    return body().length();
  }

  @Override
  public BufferedReader getReader() throws IOException {
    String named = getCharacterEncoding();
    return new BufferedReader(
        named == null
            ? new InputStreamReader(getInputStream(), StandardCharsets.ISO_8859_1)
            : new InputStreamReader(getInputStream(), named));
  }

  @Override
  public ServletInputStream getInputStream() throws IOException {
    if (body().bytes() == null) {
      throw new IOException("The body has " + body().length() + " bytes, more than this server accepts.");
    }
    if (stream == null) {
      stream = new BodyStream(body().bytes());
    }
    return stream;
  }
}
