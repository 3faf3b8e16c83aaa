package org.understudy.spring;

import java.util.concurrent.atomic.AtomicInteger;

/** What Spring injects into a service: counts how often it is used. */
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
