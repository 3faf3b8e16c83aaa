package org.understudy.client.connection;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import org.apache.hc.core5.http.io.entity.AbstractHttpEntity;

/** Passes {@link Content} to the HTTP library, and records whether a byte of it may have been sent. */
final class ContentEntity extends AbstractHttpEntity {
  private final Content content;
  private volatile boolean sending;

  ContentEntity(Content content, String contentType) {
    super(contentType, null, false);
    this.content = content;
  }

  boolean isSending() {
    return sending;
  }

  @Override
  public long getContentLength() {
    return content.length();
  }

  @Override
  public void writeTo(OutputStream out) throws IOException {
    sending = true;
    content.writeTo(out);
  }

  /** Only for inspection of the request; sending does not use it. */
  @Override
  public InputStream getContent() throws IOException {
    ByteArrayOutputStream copy = new ByteArrayOutputStream();
    content.writeTo(copy);
    return new ByteArrayInputStream(copy.toByteArray());
  }

  /** So that the library never sends it again by itself. */
  @Override
  public boolean isRepeatable() {
    return false;
  }

  @Override
  public boolean isStreaming() {
    return false;
  }

  @Override
  public void close() {
    // There is nothing to release.
  }
}
