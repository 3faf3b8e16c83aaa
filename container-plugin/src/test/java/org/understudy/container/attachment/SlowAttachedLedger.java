package org.understudy.container.attachment;

import jakarta.jws.WebService;
import org.understudy.container.service.SlowLedger;
import org.understudy.replication.api.FaultTolerant;

/** A ledger with slow updates, as an application makes it. */
@FaultTolerant
@WebService(targetNamespace = "urn:ledger")
public class SlowAttachedLedger extends SlowLedger {
  SlowAttachedLedger() {
    super(new ServiceResources<>());
  }
}
