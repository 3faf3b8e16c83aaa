package org.understudy.replication.api;

/**
 * Measures the load of this replica, for load balancing ({@code understudy.load.threshold}) by something other than the requests in
 * progress, for example the use of the CPU. The web application, or a jar in {@code WEB-INF/lib}, installs it by
 * {@code META-INF/services}, and {@code understudy.load.index} names it. Replicas compare each other's indexes, so all of them must use
 * the same one. It needs a public constructor without parameters; each group of a web application has an instance of its own.
 */
public interface LoadIndex {
  /** The name for {@code understudy.load.index}: lower-case letters, digits and hyphens. */
  String name();

  /**
   * Returns the load: 0 for none, higher for more, with the same meaning at every replica. Values above 16,777,214 count as that; a
   * negative one means unknown, and no requests are passed on to this replica or from it. Called several times in each
   * heartbeat interval ({@code understudy.heartbeat.ms}), by the thread that also sends heartbeats: it must return at once. An exception
   * counts as unknown.
   */
  int current();
}
