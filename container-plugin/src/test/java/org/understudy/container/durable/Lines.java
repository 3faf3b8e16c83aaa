package org.understudy.container.durable;

/** The interface of a state object. */
interface Lines {
  String all();

  void add(String line);

  void clear();
}
