package org.understudy.lab.demo;

import java.util.function.BooleanSupplier;
import org.understudy.client.FaultTolerantGroup;

/** What the clients of a demonstration do with one service of this project, and how they check it. Thread-safe. */
interface Workload {
  /** The name for {@code scripts/cluster up --service}. */
  String service();

  /** The name of the endpoint. */
  String endpoint();

  /**
   * Calls the service until it is stopped, and then compares the state with what was acknowledged.
   *
   * @param client the number of the client, from 0
   * @param account gets every result, and one more for the comparison at the end
   */
  void run(int client, FaultTolerantGroup group, Account account, BooleanSupplier stopped) throws Exception;
}
