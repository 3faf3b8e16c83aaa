package org.understudy.container.intake;

import jakarta.servlet.ReadListener;

/** A listener that ignores a body. */
enum IgnoredBody implements ReadListener {
  LISTENER;

  @Override
  public void onDataAvailable() {}

  @Override
  public void onAllDataRead() {}

  @Override
  public void onError(Throwable broken) {}
}
