package org.understudy.replication.core;

import java.util.List;
import java.util.Map;
import org.understudy.replication.api.ReplicaId;

/** What can happen to a replica. */
public sealed interface Input {
  /**
   * A request of a client. Answered by exactly one of execute, reply and fail; after every execute, the same token comes
   * back as {@link Executed} or {@link Abandoned}.
   */
  record Requested(long token, Request request) implements Input {}

  /**
   * The service method has returned (or thrown: a fault is a response), and its response is marshalled. What it made is a
   * proposal: it stands when {@link Effects#commit} is named for the token, and comes to nothing with
   * {@link Effects#rollback}.
   *
   * @param versions of every resource that the method read, its own too, by key: the version it saw. Of a resource that
   *     does not exist, a version at which it did not. A key that ends with a slash stands for all keys that begin so, as
   *     they were at that version. What a version is, see {@link Effects#applied}
   * @param outcome the response, or a terminal failure: then there are no changes, and the failure is stored for
   *     repetitions
   */
  record Executed(long token, Map<String, Long> versions, Outcome outcome, List<StateChange> changes)
      implements Input {}

  /**
   * There will be no response for this token; what the method changed is to be forgotten. For a token that waits, and
   * whose caller has been answered otherwise: it waits no longer, and is not answered again.
   */
  record Abandoned(long token) implements Input {}

  /** A message arrived. The channel supplies the sender; a message may arrive twice, late, or not at all. */
  record Received(ReplicaId from, Message message) implements Input {}

  /**
   * A message was multicast, here or elsewhere, and has its place in the group's order. Every member receives the same
   * messages in the same order, the sender too; see {@link org.understudy.replication.core.channel.GroupChannel} for what
   * that does not promise.
   */
  record Delivered(ReplicaId from, Message message) implements Input {}

  /** The group channel has another view: it has its place in the order of what is {@link Delivered}. */
  record ViewInstalled(GroupView view) implements Input {}

  /**
   * The record of this token is durable, or one that supersedes it, and so are all records named before it: the token is
   * the last of those that were stored together. What was named after them has been let pass. Only informs; never comes
   * when the replica keeps no records.
   */
  record Stored(long token) implements Input {}

  /** An operator requests what each replica holds; see {@link ReplicaCore#surveyed}. */
  record Survey() implements Input {}

  /**
   * An operator declares that these replicas have lost their membership records and lets the group go on from what this
   * replica holds. Answered by a reply or a failure with the reason.
   *
   * @param lost the replicas declared lost, each with the incarnation that is admitted in its place, or 0 for none
   */
  record Recover(long token, Map<ReplicaId, Long> lost) implements Input {}

  /** Time went on. Expected several times per heartbeat interval. */
  record Tick() implements Input {}

  /** A hint, from a refused connection, that a replica's process is gone. May be wrong. */
  record Suspected(ReplicaId replica) implements Input {}
}
