package org.understudy.session.http;

import jakarta.servlet.http.Part;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.StandardCopyOption;
import java.util.Collection;

/**
 * A part of a request's body that each run of the web application can read: writing it to a file copies it, where Tomcat moves it, and
 * Tomcat deletes it with the request.
 */
final class RepeatablePart implements Part {
  private final Part part;
  private final File directory;

  /** @param directory for files with a relative path */
  RepeatablePart(Part part, File directory) {
    this.part = part;
    this.directory = directory;
  }

  @Override
  public void write(String name) throws IOException {
    File file = new File(name);
    File absolute = file.isAbsolute() ? file : new File(directory, name);
    try (InputStream content = part.getInputStream()) {
      Files.copy(content, absolute.toPath(), StandardCopyOption.REPLACE_EXISTING);
    }
  }

  @Override
  public void delete() {
    // The next run may need it.
  }

  @Override
  public InputStream getInputStream() throws IOException {
    return part.getInputStream();
  }

  @Override
  public String getContentType() {
    return part.getContentType();
  }

  @Override
  public String getName() {
    return part.getName();
  }

  @Override
  public String getSubmittedFileName() {
    return part.getSubmittedFileName();
  }

  @Override
  public long getSize() {
    return part.getSize();
  }

  @Override
  public String getHeader(String name) {
    return part.getHeader(name);
  }

  @Override
  public Collection<String> getHeaders(String name) {
    return part.getHeaders(name);
  }

  @Override
  public Collection<String> getHeaderNames() {
    return part.getHeaderNames();
  }
}
