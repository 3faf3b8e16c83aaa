package org.understudy.durability.compiler.shop;

import jakarta.annotation.Resource;
import jakarta.jws.WebService;
import jakarta.xml.ws.WebServiceContext;
import org.understudy.replication.api.ReplicatedState;

/** A service that keeps state of its own, and wants an injection. */
@WebService
public class Marked {
  @ReplicatedState private int count;
  @Resource private WebServiceContext context;

  /** Takes what it needs. */
  public Marked(Visitors visitors) {
    visitors.count();
  }

  /** Has the name of a method of the generated class. */
  public int reload() {
    return count + (context == null ? 0 : 1);
  }
}
