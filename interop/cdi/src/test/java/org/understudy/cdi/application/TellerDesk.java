package org.understudy.cdi.application;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Produces;
import jakarta.enterprise.inject.Vetoed;
import org.understudy.replication.api.FaultTolerant;
import org.understudy.replication.api.ReplicatedState;

/** Produces the bean of {@link Teller}. */
@ApplicationScoped
public class TellerDesk {
  @Produces
  @ApplicationScoped
  Teller teller() {
    return new Clerk("Good day");
  }

  /** Created by the application itself. */
  @Vetoed
  @FaultTolerant
  static class Clerk implements Teller {
    private final String word;

    @ReplicatedState private int count;

    Clerk(String word) {
      this.word = word;
    }

    @Override
    public String greet(String name) {
      count++;
      return word + " " + name + " " + count;
    }
  }
}
