package org.understudy.container.attachment;

import jakarta.jws.WebService;
import org.understudy.replication.api.FaultTolerant;

/** A ledger whose class names its group. */
@FaultTolerant(group = "stock")
@WebService(targetNamespace = "urn:ledger", serviceName = "StockLedger", portName = "StockLedgerPort")
public class StockLedger extends Ledger {
  StockLedger(String owner) {
    super(owner);
  }
}
