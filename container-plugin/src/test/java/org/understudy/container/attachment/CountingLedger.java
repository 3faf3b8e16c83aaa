package org.understudy.container.attachment;

import jakarta.jws.WebService;
import org.understudy.replication.api.FaultTolerant;

/** Counts its instances in a static field, which is no state. */
@FaultTolerant
@WebService(targetNamespace = "urn:ledger", serviceName = "CountingLedger", portName = "CountingLedgerPort")
public class CountingLedger extends Ledger {
  static int instances;

  CountingLedger(String owner) {
    super(owner);
    instances++;
  }
}
