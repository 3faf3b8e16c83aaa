package org.understudy.spring;

import java.util.concurrent.atomic.AtomicInteger;

/** A bean that Spring injects into a service. It counts its calls. */
public class Greetings {
  static final AtomicInteger USED = new AtomicInteger();

  private String word = "";

  public void setWord(String word) {
    this.word = word;
  }

  public String word() {
    USED.incrementAndGet();
    return word;
  }
}
