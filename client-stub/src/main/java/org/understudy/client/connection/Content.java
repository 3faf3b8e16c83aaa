package org.understudy.client.connection;

import java.io.IOException;
import java.io.OutputStream;

/** The bytes of one request, with a known length, so that nothing is sent chunked. */
public interface Content {
  long length();

  void writeTo(OutputStream out) throws IOException;

  /** Content that is one array. */
  static Content of(byte[] bytes) {
    return new Content() {
      @Override
      public long length() {
        return bytes.length;
      }

      @Override
      public void writeTo(OutputStream out) throws IOException {
        out.write(bytes);
      }
    };
  }
}
