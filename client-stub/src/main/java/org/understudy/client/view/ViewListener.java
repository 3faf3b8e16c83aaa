package org.understudy.client.view;

/** Receives every view that replaces an older one. */
@FunctionalInterface
public interface ViewListener {
  /** Must not block: runs on the thread that received the view. */
  void viewChanged(GroupView view);
}
