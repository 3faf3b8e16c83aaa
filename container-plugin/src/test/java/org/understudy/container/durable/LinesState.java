package org.understudy.container.durable;

/** A state object, as a service's author writes it. */
class LinesState implements Lines {
  private String text = "";

  @Override
  public String all() {
    return text;
  }

  @Override
  public void add(String line) {
    text += line;
  }

  @Override
  public void clear() {
    text = "";
  }
}
