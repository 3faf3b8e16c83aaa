package org.understudy.container.intake;

import jakarta.servlet.ReadListener;

/** Replaces a body that is not read. */
enum IgnoredBody implements ReadListener {
  LISTENER;

  @Override
  public void onDataAvailable() {}

  @Override
  public void onAllDataRead() {}

  @Override
  public void onError(Throwable broken) {}
}
