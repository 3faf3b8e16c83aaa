package org.understudy.cdi.application;

import jakarta.enterprise.context.SessionScoped;
import java.io.Serializable;
import org.understudy.replication.api.ReplicatedState;

/** State that belongs to an HTTP session. */
@SessionScoped
public class Basket implements Serializable {
  private static final long serialVersionUID = 1L;

  @ReplicatedState private int count;

  public int next() {
    count++;
    return count;
  }
}
