package org.understudy.container.service;

import jakarta.jws.WebService;
import java.util.HashMap;
import java.util.Map;
import org.understudy.replication.api.ResourceHome;

/** Has a field that is no state and may change: a second object could not share it. */
@WebService(targetNamespace = "urn:ledger")
public class IndexedLedger extends SlowLedger {
  private final transient Map<String, Integer> index = new HashMap<>();

  public IndexedLedger(ResourceHome<SlowLedger> home) {
    super(home);
  }

  @Override
  public int add(String entry) {
    index.merge(entry, 1, Integer::sum);
    return super.add(entry);
  }
}
