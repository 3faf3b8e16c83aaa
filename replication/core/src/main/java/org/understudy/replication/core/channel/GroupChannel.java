package org.understudy.replication.core.channel;

import org.understudy.replication.core.Message;

/**
 * Totally ordered multicast among the replicas of one group. One object serves one life of one replica: join, multicast,
 * close. Thread-safe.
 *
 * <p>What every implementation promises, from the first view that names this replica until {@link #close}:
 *
 * <ul>
 *   <li><em>Total order</em>: two replicas that both receive two events (messages or views) receive them in the same order,
 *       as long as they install the same views.
 *   <li><em>No gaps</em>: of the events between two views that a replica installs, it receives every one that another
 *       replica received which installs both.
 *   <li><em>Once</em>: a message is received once at most, by its sender too.
 *   <li><em>First in, first out</em>: messages of one sender arrive in the order in which it multicast them.
 *   <li><em>To itself</em>: a sender that stays in the group receives what it multicast, in its place in the order.
 * </ul>
 *
 * <p>What it does not promise. <em>Uniform delivery</em>: a replica may have received a message that no other replica ever
 * receives, because it died or was cut off. <em>A primary partition</em>: see {@link
 * org.understudy.replication.core.GroupView}. <em>State</em>: a replica that joins receives what is multicast after its
 * first view; the strategy brings it up
 * to date. A strategy that acknowledges anything to a client rests on its own acknowledgements, not on delivery.
 */
public interface GroupChannel extends AutoCloseable {
  /** The name in logs, for example {@code jgroups}. */
  String name();

  /**
   * Begins to join the group and returns at once; the first {@link GroupReceiver#viewInstalled} reports the membership.
   * Called once. A channel that cannot join retries, or reports {@link GroupReceiver#failed}.
   */
  void join(GroupReceiver receiver);

  /**
   * Multicasts without blocking or throwing, because the caller processes a request. The message reaches every member, or
   * none when this replica is not in the group. Never calls the receiver before it returns.
   *
   * @param message not changed any more
   */
  void multicast(Message message);

  /** Leaves the group. The receiver may be called until this returns, and for a delivery in progress after that. */
  @Override
  void close();
}
