package org.understudy.lab.torture.check;

import java.util.ArrayList;
import java.util.List;
import org.understudy.lab.torture.history.Cut;
import org.understudy.lab.torture.history.Level;
import org.understudy.lab.torture.history.Operation;

/**
 * A replica that cannot reach a majority acknowledges no update and serves no linearizable read. Only operations that began and
 * ended within one cut count: what was in progress when the cut began may have been ordered and acknowledged before it.
 *
 * <p>Where a database decides updates without the log, it keeps a replaced primary out, and no majority is needed for one. A primary that
 * is cut off acknowledges updates then until it notices, which breaks no promise.
 */
public final class MinorityChecker {
  private MinorityChecker() {}

  /**
   * @param leaseNanos how long after a cut a replica may serve linearizable reads under the lease that it then had; no lease is
   *     longer
   * @param databaseDecides whether updates commit in a database alone, so that they are not checked
   */
  public static List<Violation> check(List<Operation> operations, List<Cut> cuts, long leaseNanos, boolean databaseDecides) {
    List<Violation> violations = new ArrayList<>();
    for (Cut cut : cuts) {
      for (Operation operation : operations) {
        long from = cut.from() + (operation.update() ? 0 : leaseNanos);
        boolean within = operation.invoked() >= from && operation.returned() <= cut.to();
        boolean forbidden = operation.update() ? !databaseDecides : operation.level() == Level.LINEARIZABLE;
        if (within && forbidden && operation.ok() && cut.minority().contains(operation.replica())) {
          violations.add(new Violation("minority", operation.describe() + " while fault " + cut.fault()
              + " had cut replica " + operation.replica() + " off from a majority."));
        }
      }
    }
    return violations;
  }
}
