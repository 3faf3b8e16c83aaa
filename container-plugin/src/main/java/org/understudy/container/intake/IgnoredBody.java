package org.understudy.container.intake;

import jakarta.servlet.ReadListener;

/** Stands for a body that nobody reads. */
enum IgnoredBody implements ReadListener {
  LISTENER;

  @Override
  public void onDataAvailable() {}

  @Override
  public void onAllDataRead() {}

  @Override
  public void onError(Throwable broken) {}
}
