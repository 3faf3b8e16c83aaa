package org.understudy.container.request;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import org.understudy.container.caller.RequestTarget;
import org.understudy.container.intake.BodyStream;
import org.understudy.soap.mime.Multipart;

/** Provides a request whose body has been read to the service's stack. The body is in UTF-8, regardless of the original encoding. */
class ReadRequest extends HttpServletRequestWrapper {
  /** Whether the service's stack sees the action of the request. */
  enum Action {
    /**
     * The action is removed, so that the service's stack selects the operation by the Body's element as this plugin does. With a
     * different action, a client could have an update executed as a read.
     */
    REMOVED,
    /** The action is kept: the plugin uses the operation that the service's stack has selected. */
    KEPT
  }

  private final BodyStream body;
  private final int length;
  private final String contentType;
  private final String servicePath;
  private final Action action;

  /**
   * @param message in UTF-8
   * @param servicePath the path that the service sees, without the resource that the URL may name after it
   */
  ReadRequest(HttpServletRequest request, Multipart.Written message, String servicePath, Action action) {
    super(request);
    this.body = new BodyStream(message.bytes());
    this.length = message.bytes().length;
    this.contentType = message.contentType();
    this.servicePath = servicePath;
    this.action = action;
  }

  private boolean isReplaced(String header) {
    return header.equalsIgnoreCase("Content-Type")
        || header.equalsIgnoreCase("Content-Length")
        || header.equalsIgnoreCase("Transfer-Encoding")
        || header.equalsIgnoreCase("Content-Encoding")
        || header.equalsIgnoreCase("Accept-Encoding")
        || header.equalsIgnoreCase("SOAPAction") && action == Action.REMOVED;
  }

  private String replacement(String header) {
    if (header.equalsIgnoreCase("Accept-Encoding")) {
      // CXF's GZIP would compress the response, which then cannot be stored. A client would compress its next request, too.
      return "identity";
    }
    return header.equalsIgnoreCase("Content-Type")
        ? contentType
        : header.equalsIgnoreCase("Content-Length") ? Integer.toString(length) : null;
  }

  @Override
  public String getHeader(String name) {
    return isReplaced(name) ? replacement(name) : super.getHeader(name);
  }

  @Override
  public Enumeration<String> getHeaders(String name) {
    if (!isReplaced(name)) {
      return super.getHeaders(name);
    }
    String value = replacement(name);
    return Collections.enumeration(value == null ? List.of() : List.of(value));
  }

  @Override
  public Enumeration<String> getHeaderNames() {
    List<String> names = new ArrayList<>();
    for (Enumeration<String> all = super.getHeaderNames(); all.hasMoreElements(); ) {
      String name = all.nextElement();
      if (!isReplaced(name)) {
        names.add(name);
      }
    }
    names.add("Content-Type");
    names.add("Content-Length");
    names.add("Accept-Encoding");
    return Collections.enumeration(names);
  }

  @Override
  public String getContentType() {
    return contentType;
  }

  @Override
  public String getCharacterEncoding() {
    return "UTF-8";
  }

  @Override
  public int getContentLength() {
    return length;
  }

  @Override
  public long getContentLengthLong() {
    return length;
  }

  @Override
  public String getPathInfo() {
    return servicePath.substring(getServletPath().length());
  }

  @Override
  public String getRequestURI() {
    return getContextPath() + RequestTarget.encoded(servicePath);
  }

  @Override
  public StringBuffer getRequestURL() {
    return new StringBuffer(RequestTarget.application((HttpServletRequest) getRequest())).append(RequestTarget.encoded(servicePath));
  }

  @Override
  public ServletInputStream getInputStream() {
    return body;
  }

  @Override
  public boolean isAsyncSupported() {
    // The exchange waits asynchronously, not the service.
    return false;
  }

  @Override
  public AsyncContext startAsync() {
    throw new IllegalStateException(
        "A replicated request is suspended by CXF's ContinuationProvider or an asynchronous method, not by this request.");
  }

  @Override
  public AsyncContext startAsync(ServletRequest request, ServletResponse response) {
    return startAsync();
  }
}
