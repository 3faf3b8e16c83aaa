package org.understudy.replication.core;

import java.util.List;
import java.util.Set;
import org.understudy.replication.api.View;
import org.understudy.replication.core.record.RecordKind;

/**
 * Creates the core of one replica. Found with {@link java.util.ServiceLoader}: a jar in the web application that lists its
 * strategy in {@code META-INF/services} installs it.
 */
public interface ReplicationStrategy {
  /**
   * The name in {@code understudy.strategy}, for example {@code primary-backup}. Replicas exchange it when they connect and
   * reject peers with another strategy.
   */
  String name();

  /** The required capabilities. A strategy that requires no channel runs a single replica. */
  Set<Capability> requires();

  /** Further capabilities, which it uses where a deployment offers them. Cores work without them. */
  default Set<Capability> uses() {
    return Set.of();
  }

  /**
   * Divides the work among the members of a view. Pure: depends on the view alone. Replicas route requests and take up
   * duties by it; the core still decides about each request and may refuse it.
   */
  Assignment assign(View view);

  /**
   * The kinds of records that its cores store; empty when they store nothing. Of a kind that is appended, only with {@link
   * ReplicaSetup#journal}. A strategy that stores requires {@link
   * Capability#STABLE_STORAGE}.
   */
  default Set<RecordKind<?>> records() {
    return Set.of();
  }

  /**
   * The kinds of messages that its cores send or multicast, including those of shared packages. Empty when it sends
   * nothing.
   */
  default List<MessageKind> messages() {
    return List.of();
  }

  /** Whether it is only for measurements, so that no list of strategies for users has it. */
  default boolean isOfMeasurements() {
    return false;
  }

  /** Whether its cores support updates that a database decides, see {@link Effects#decide}. */
  default boolean decides() {
    return false;
  }

  /** Whether its cores honour {@link ReplicaSetup#startsEmpty}. */
  default boolean canStartEmpty() {
    return false;
  }

  /** Whether either all replicas of a group keep a journal or none does. Otherwise each of them decides for itself. */
  default boolean needsEqualJournals() {
    return false;
  }

  ReplicaCore open(ReplicaSetup setup);
}
