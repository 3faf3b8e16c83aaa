package org.understudy.container.service;

import jakarta.jws.HandlerChain;
import jakarta.jws.WebService;
import org.understudy.replication.api.ReplicatedState;

/** A service with a handler, whose namespace must be escaped in XML. */
@HandlerChain(file = "stamp-handlers.xml")
@WebService(targetNamespace = QueryNamespaceService.NAMESPACE)
@ReplicatedState
public class QueryNamespaceService {
  public static final String NAMESPACE = "http://query.example/?a=1&b=2";

  private int total;

  public int add(int amount) {
    total += amount;
    return total;
  }
}
