package org.understudy.container;

import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;

/** The content of a response that no test reads. */
public final class IgnoredOutput extends ServletOutputStream {
  @Override
  public void write(int b) {}

  @Override
  public boolean isReady() {
    return true;
  }

  @Override
  public void setWriteListener(WriteListener listener) {}
}
