package org.understudy.session.http;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpSession;
import jakarta.servlet.http.Part;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** A request as one run of the web application sees it: its body can be read once more in the next run. */
public final class RepeatableRequest extends HttpServletRequestWrapper {
  private final String method;
  private final byte[] body;
  private final Runnable asynchronous;
  private final Supplier<File> files;
  private final Consumer<String> using;
  private BodyStream stream;
  private BufferedReader reader;

  /**
   * @param body of the request
   * @param asynchronous runs before the web application begins to process the request asynchronously
   * @param files the directory for parts of the body that are written to files with a relative path
   * @param using takes the id of the session when the web application asks for it. What Tomcat does before is no use of the session
   */
  public RepeatableRequest(HttpServletRequest request, byte[] body, Runnable asynchronous, Supplier<File> files, Consumer<String> using) {
    super(request);
    this.method = request.getMethod();
    this.body = body;
    this.asynchronous = asynchronous;
    this.files = files;
    this.using = using;
  }

  /** The request of Tomcat, in which looking for the session is no use of it. */
  public static HttpServletRequest original(HttpServletRequest request) {
    return request instanceof RepeatableRequest repeatable ? (HttpServletRequest) repeatable.getRequest() : request;
  }

  /** Whether Tomcat has put another request in the place of this one: one that has waited for a login by a form. */
  private boolean isReplaced() {
    return !method.equals(getMethod());
  }

  @Override
  public ServletInputStream getInputStream() throws IOException {
    if (isReplaced()) {
      return super.getInputStream();
    }
    if (reader != null) {
      throw new IllegalStateException("getReader() has been called for this request.");
    }
    if (stream == null) {
      stream = new BodyStream(body);
    }
    return stream;
  }

  /** Calls the ReadListener of the body, if the web application has set one, by this thread. */
  public void notifyReadListener() {
    if (stream != null) {
      stream.notifyListener();
    }
  }

  @Override
  public BufferedReader getReader() throws IOException {
    if (isReplaced()) {
      return super.getReader();
    }
    if (stream != null) {
      throw new IllegalStateException("getInputStream() has been called for this request.");
    }
    if (reader == null) {
      String name = getCharacterEncoding();
      Charset charset = name == null ? StandardCharsets.ISO_8859_1 : Charset.forName(name);
      reader = new BufferedReader(new InputStreamReader(new BodyStream(body), charset));
    }
    return reader;
  }

  @Override
  public HttpSession getSession() {
    return getSession(true);
  }

  @Override
  public HttpSession getSession(boolean create) {
    HttpSession session = super.getSession(create);
    if (session != null) {
      using.accept(session.getId());
    }
    return session;
  }

  @Override
  public Collection<Part> getParts() throws IOException, ServletException {
    return super.getParts().stream().map(this::repeatable).toList();
  }

  @Override
  public Part getPart(String name) throws IOException, ServletException {
    return repeatable(super.getPart(name));
  }

  private Part repeatable(Part part) {
    return part == null ? null : new RepeatablePart(part, files.get());
  }

  @Override
  public AsyncContext startAsync() {
    asynchronous.run();
    return super.startAsync();
  }

  @Override
  public AsyncContext startAsync(ServletRequest request, ServletResponse response) {
    asynchronous.run();
    return super.startAsync(request, response);
  }
}
