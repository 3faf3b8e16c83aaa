package org.understudy.replication.core;

import java.util.List;
import java.util.Set;
import org.understudy.replication.api.View;

/**
 * Creates the core of one replica. Found with {@link java.util.ServiceLoader}: a jar in the web application that names its
 * strategy in {@code META-INF/services} installs it.
 */
public interface ReplicationStrategy {
  /**
   * As written in {@code understudy.strategy}, for example {@code primary-backup}. Replicas name it to each other when they
   * connect, and refuse those with another one.
   */
  String name();

  /** What it cannot run without. A strategy that requires no channel is alone. */
  Set<Capability> requires();

  /**
   * How the members of a view divide the work. Pure: depends on the view alone. Replicas route requests and take up duties by
   * it; the core still decides about each request, and may refuse it.
   */
  Assignment assign(View view);

  /**
   * The kinds of records that its cores store; empty when nothing of a replica outlives its process. A strategy that stores
   * requires {@link Capability#STABLE_STORAGE}.
   */
  default Set<RecordKind<?>> records() {
    return Set.of();
  }

  /**
   * The kinds of messages that its cores send each other or multicast, those of shared packages among them. Empty when
   * nothing leaves the process.
   */
  default List<MessageKind> messages() {
    return List.of();
  }

  ReplicaCore open(ReplicaSetup setup);
}
