package org.understudy.replication.core;

/** Creates the core of one replica. Found with {@link java.util.ServiceLoader}. */
public interface ReplicationStrategy {
  /** As written in {@code understudy.strategy}, for example {@code primary-backup}. */
  String name();

  /** True when replicas must reach each other; false for the baseline, which is alone. */
  boolean needsPeers();

  ReplicaCore open(ReplicaSetup setup);
}
