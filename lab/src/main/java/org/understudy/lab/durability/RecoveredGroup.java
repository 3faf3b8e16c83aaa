package org.understudy.lab.durability;

import java.io.IOException;

/** A group of counters whose failures are caused. Not thread-safe. */
interface RecoveredGroup {
  /** Waits until the group is whole, and kills its primary. Returns its number. */
  int killPrimary() throws IOException, InterruptedException;

  /** Kills all replicas. */
  void killAll() throws IOException, InterruptedException;

  /** Waits until a view without the replica has a primary, which may not serve yet. May be called by another thread. */
  void awaitViewWithout(int replica) throws IOException, InterruptedException;

  /** Waits until some replica answers health checks. May be called by another thread. */
  void awaitProcess() throws IOException, InterruptedException;

  /** Starts a killed replica again, and waits until it has joined. */
  void restart(int replica) throws IOException, InterruptedException;

  /** Starts all replicas again, and waits until they have joined. May be called by another thread. */
  void restartAll() throws IOException, InterruptedException;
}
