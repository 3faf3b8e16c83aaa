package org.understudy.boot;

import jakarta.jws.WebParam;
import jakarta.jws.WebService;
import org.understudy.replication.api.FaultTolerant;
import org.understudy.replication.api.ReplicatedState;

/** A service of an application. */
@FaultTolerant
@WebService(targetNamespace = "urn:counting", serviceName = "Counting", portName = "CountingPort")
public class CountingService {
  @ReplicatedState private int count;

  public int count(@WebParam(name = "more") int more) {
    count += more;
    return count;
  }
}
