package org.understudy.cdi.application;

import jakarta.annotation.PostConstruct;
import jakarta.annotation.PreDestroy;
import jakarta.enterprise.context.RequestScoped;
import java.util.concurrent.atomic.AtomicInteger;

/** Belongs to one HTTP request. */
@RequestScoped
public class Visit {
  static final AtomicInteger OPEN = new AtomicInteger();

  private String names = "";

  @PostConstruct
  void begin() {
    OPEN.incrementAndGet();
  }

  @PreDestroy
  void end() {
    OPEN.decrementAndGet();
  }

  public void add(String name) {
    names += name;
  }

  public String names() {
    return names;
  }
}
