package org.understudy.container.service;

import jakarta.annotation.Resource;
import jakarta.jws.WebMethod;
import jakarta.jws.WebService;
import org.understudy.replication.api.Read;
import org.understudy.replication.api.ReadLevel;
import org.understudy.replication.api.ResourceHome;

/** Reads its entries through an injected object, which refers to the service object. A second object would read those of the first. */
@WebService(targetNamespace = "urn:ledger")
public class SelfInjectedLedger extends SlowLedger {
  @Resource private SlowLedger self;

  /** Sets the field as a container would. */
  public SelfInjectedLedger(ResourceHome<SlowLedger> home) {
    super(home);
    self = this;
  }

  @Override
  @WebMethod
  @Read(ReadLevel.LINEARIZABLE)
  public String entries() {
    return self == this ? super.entries() : self.entries();
  }
}
