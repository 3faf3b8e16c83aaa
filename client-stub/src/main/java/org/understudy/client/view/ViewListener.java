package org.understudy.client.view;

/** Receives every view that replaces an older one. */
@FunctionalInterface
public interface ViewListener {
  /** Must not block: it runs on the thread that brought the news. */
  void viewChanged(GroupView view);
}
