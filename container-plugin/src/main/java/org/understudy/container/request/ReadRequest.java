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
import org.understudy.container.caller.SentContentType;
import org.understudy.container.intake.BodyStream;
import org.understudy.container.operation.Operations;
import org.understudy.soap.mime.Multipart;

/**
 * Provides a request whose body has been read to the service's stack. The body is in UTF-8, regardless of the original encoding. Headers
 * are the client's own; {@link #getContentType} and {@link #getCharacterEncoding}, by which the stack decodes the body, describe the body.
 */
class ReadRequest extends HttpServletRequestWrapper {
  private final BodyStream body;
  private final int length;
  private final String contentType;
  private final String servicePath;

  /**
   * @param message in UTF-8
   * @param servicePath the path that the service sees, without the resource that the URL may name after it; null for that of the URL
   */
  ReadRequest(HttpServletRequest request, Multipart.Written message, String servicePath) {
    super(request);
    this.body = new BodyStream(message.bytes());
    this.length = message.bytes().length;
    this.contentType = withAction(message.contentType(), Operations.action(request));
    this.servicePath = servicePath;
  }

  /** SOAP 1.2 names the action in the Content-Type. One that would have to be escaped is left out. */
  private static String withAction(String type, String action) {
    boolean named = action != null && type.startsWith("application/soap+xml") && action.indexOf('"') < 0 && action.indexOf('\\') < 0;
    return named ? type + "; action=\"" + action + '"' : type;
  }

  private static boolean isReplaced(String header) {
    return header.equalsIgnoreCase("Content-Type")
        || header.equalsIgnoreCase("Content-Length")
        || header.equalsIgnoreCase("Transfer-Encoding")
        || header.equalsIgnoreCase("Content-Encoding")
        || header.equalsIgnoreCase("Accept-Encoding");
  }

  private String replacement(String header) {
    if (header.equalsIgnoreCase("Accept-Encoding")) {
      // CXF's GZIP would compress the response, which then cannot be stored. A client would compress its next request, too.
      return super.getHeader(header) == null ? null : "identity";
    }
    return header.equalsIgnoreCase("Content-Type")
        ? SentContentType.of((HttpServletRequest) getRequest())
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
    for (String name : List.of("Content-Type", "Content-Length", "Accept-Encoding")) {
      if (replacement(name) != null) {
        names.add(name);
      }
    }
    return Collections.enumeration(names);
  }

  /** The type of the body, with the action of SOAP 1.2. */
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
    return servicePath == null ? super.getPathInfo() : servicePath.substring(getServletPath().length());
  }

  @Override
  public String getRequestURI() {
    return servicePath == null ? super.getRequestURI() : getContextPath() + RequestTarget.encoded(servicePath);
  }

  @Override
  public StringBuffer getRequestURL() {
    if (servicePath == null) {
      return super.getRequestURL();
    }
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
