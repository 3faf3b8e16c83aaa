package org.understudy.container.attachment;

import jakarta.jws.WebService;

/** The same without the mark, for the feature and the configuration; the mark of a superclass does not count. */
@WebService(targetNamespace = "urn:ledger", serviceName = "PlainLedger", portName = "PlainLedgerPort")
public class PlainLedger extends Ledger {
  PlainLedger(String owner) {
    super(owner);
  }
}
