package org.understudy.container.balancing;

import jakarta.jws.WebMethod;
import jakarta.jws.WebParam;
import jakarta.jws.WebService;
import java.util.concurrent.Semaphore;
import org.understudy.replication.api.Read;
import org.understudy.replication.api.ReadLevel;
import org.understudy.replication.api.ReplicatedState;

/** Visitors stay until the test lets them go: reads, which run beside each other. */
@WebService(endpointInterface = "org.understudy.container.balancing.Room", targetNamespace = "urn:room")
public class RoomService implements Room {
  /** Visitors that have come. */
  static final Semaphore COME = new Semaphore(0);

  /** Visitors that may go. */
  static final Semaphore GO = new Semaphore(0);

  @ReplicatedState private int seats;

  @Override
  @WebMethod
  @Read(ReadLevel.LOCAL)
  public int stay() {
    COME.release();
    GO.acquireUninterruptibly();
    return seats;
  }

  @Override
  @WebMethod
  @Read(ReadLevel.LOCAL)
  public int seats() {
    return seats;
  }

  @Override
  @WebMethod
  public int add(@WebParam(name = "seats") int more) {
    seats += more;
    return seats;
  }
}
