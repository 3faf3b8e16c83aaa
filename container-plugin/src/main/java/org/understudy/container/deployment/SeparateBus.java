package org.understudy.container.deployment;

import org.apache.cxf.Bus;
import org.apache.cxf.BusFactory;

/**
 * Creates the plugin's bus. CXF makes the first bus of a process the default for all clients and services without a bus of their own,
 * and the first of a thread the default of that thread. The plugin's bus becomes neither, because it has the plugin's limits and
 * interceptors.
 */
public final class SeparateBus {
  private SeparateBus() {}

  /** Creates a bus that is nobody's default. The caller shuts it down. */
  @SuppressWarnings("LockOnNonEnclosingClassLiteral") // CXF's methods take this lock.
  public static Bus create() {
    // The lock of CXF's own methods, so that no other thread finds the bus as the default meanwhile.
    synchronized (BusFactory.class) {
      Bus process = BusFactory.getDefaultBus(false);
      Bus thread = BusFactory.getThreadDefaultBus(false);
      try {
        return BusFactory.newInstance().createBus();
      } finally {
        if (BusFactory.getDefaultBus(false) != process) {
          BusFactory.setDefaultBus(process);
        }
        BusFactory.setThreadDefaultBus(thread);
      }
    }
  }
}
