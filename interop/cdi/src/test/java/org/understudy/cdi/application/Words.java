package org.understudy.cdi.application;

import jakarta.enterprise.context.ApplicationScoped;

/** A bean that is injected into the service. */
@ApplicationScoped
public class Words {
  public String hello() {
    return "Hello";
  }
}
