package org.understudy.client.session;

import java.net.URI;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.understudy.client.view.GroupView;
import org.understudy.client.view.KnownViews;
import org.understudy.client.view.ReplicaAddress;

/**
 * Selects the replica that holds the next poll for a view, and the pause between two polls, as a step function without
 * clock, thread or connection. The second member is polled first, because it is the successor of the first one and learns
 * of a failure first. The first one is polled last, because the poll should outlive its failure. Where several replicas serve
 * requests, the one is polled first to which requests would go next. After {@link #next} comes
 * {@link #ended}. Not thread-safe.
 */
public final class ViewPolls {
  static final long FIRST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(50);
  static final long LONGEST_PAUSE_NANOS = TimeUnit.SECONDS.toNanos(2);

  private final KnownViews views;
  private Poll poll;
  private long began;
  private int skipped;
  private long pause = FIRST_PAUSE_NANOS;

  /**
   * A poll.
   *
   * @param replica which holds it
   * @param view the known view, which a newer one ends
   */
  public record Poll(URI replica, GroupView view) {}

  public ViewPolls(KnownViews views) {
    this.views = views;
  }

  /** Begins a poll. */
  public Poll next(long now) {
    GroupView view = views.current();
    List<URI> addresses = views.addresses();
    poll = new Poll(addresses.get((preferred(view, addresses) + skipped) % addresses.size()), view);
    began = now;
    return poll;
  }

  private int preferred(GroupView view, List<URI> addresses) {
    List<URI> servers = views.servers();
    if (servers.size() > 1) {
      return Math.max(0, addresses.indexOf(servers.get(1)));
    }
    List<ReplicaAddress> replicas = view.replicas();
    return replicas.size() > 1 && replicas.get(1).member() ? 1 : 0;
  }

  /**
   * Called when the poll has ended, and its answer was applied.
   *
   * @param helpful false when the replica did not answer, or not correctly
   * @return the pause before the next poll, in nanoseconds
   */
  public long ended(long now, boolean helpful) {
    if (views.current() != poll.view()) {
      skipped = 0;
      pause = FIRST_PAUSE_NANOS;
      return 0;
    }
    if (!helpful) {
      skipped++;
    } else if (now - began >= FIRST_PAUSE_NANOS) {
      pause = FIRST_PAUSE_NANOS;
      return 0;
    }
    // Or it did not hold the request; polls must not become a busy loop.
    long rest = pause;
    pause = Math.min(LONGEST_PAUSE_NANOS, 2 * pause);
    return rest;
  }
}
