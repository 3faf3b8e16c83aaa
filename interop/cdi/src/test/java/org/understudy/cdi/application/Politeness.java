package org.understudy.cdi.application;

import jakarta.annotation.Priority;
import jakarta.decorator.Decorator;
import jakarta.decorator.Delegate;
import jakarta.enterprise.inject.Any;
import jakarta.inject.Inject;
import jakarta.interceptor.Interceptor;

/** Adds to what is passed to an operation. */
@Decorator
@Priority(Interceptor.Priority.APPLICATION)
public class Politeness implements GreeterPort {
  private final GreeterPort greeter;

  @Inject
  Politeness(@Delegate @Any GreeterPort greeter) {
    this.greeter = greeter;
  }

  @Override
  public String greet(String name) {
    return greeter.greet("dear " + name);
  }
}
