package org.understudy.container.service;

import jakarta.annotation.Resource;
import jakarta.jws.WebMethod;
import jakarta.jws.WebParam;
import jakarta.jws.WebService;
import jakarta.xml.ws.WebServiceContext;
import java.util.ArrayList;
import java.util.List;
import org.understudy.replication.api.Read;
import org.understudy.replication.api.ReadLevel;
import org.understudy.replication.api.ReplicatedState;
import org.understudy.replication.api.ResourceHome;

/** Keeps its entries in itself. Some updates change them and then go on when the test says so. */
@WebService(targetNamespace = "urn:ledger")
public class SlowLedger {
  @ReplicatedState private final List<String> entries = new ArrayList<>();
  @Resource private WebServiceContext context;
  private final ResourceHome<SlowLedger> home;
  private final int most = 1_000;

  public SlowLedger(ResourceHome<SlowLedger> home) {
    this.home = home;
    SlowUpdates.CONSTRUCTED.incrementAndGet();
  }

  /** Adds an entry. */
  @WebMethod
  public int add(@WebParam(name = "entry") String entry) {
    entries.add(entry);
    return entries.size();
  }

  /** Adds an entry and waits. */
  @WebMethod
  public int addSlowly(@WebParam(name = "entry") String entry) {
    int size = add(entry);
    SlowUpdates.CHANGED.release();
    SlowUpdates.RELEASED.acquireUninterruptibly();
    return size;
  }

  /** Returns the entries, also those that its home and its context show. */
  @WebMethod
  @Read(ReadLevel.LINEARIZABLE)
  public String entries() {
    boolean same = home.current() == this && context.getMessageContext() != null && entries.size() < most;
    return (same ? "" : "another object: ") + String.join(" ", entries);
  }
}
