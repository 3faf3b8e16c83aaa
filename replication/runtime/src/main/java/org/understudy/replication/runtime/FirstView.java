package org.understudy.replication.runtime;

import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.runtime.peer.PeerChannel;

/**
 * Reports for which replicas the first view of a group waits: to operators who ask, and to the log after 5 s and then once a minute. Of the
 * thread of the clock, but for {@link #sentence}.
 */
final class FirstView {
  private static final Logger LOG = LoggerFactory.getLogger(FirstView.class);
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(5);
  private static final long PAUSE_NANOS = TimeUnit.MINUTES.toNanos(1);

  private final String self;
  private final PeerChannel peers;
  private final HeardPeers heard;
  private long nextAt = Long.MIN_VALUE;

  /**
   * @param self of the log
   * @param peers null without peers
   */
  FirstView(String self, PeerChannel peers, HeardPeers heard) {
    this.self = self;
    this.peers = peers;
    this.heard = heard;
  }

  /** Returns what the first view waits for and what to do, one sentence each; null when it waits for nothing. */
  String sentence(Set<ReplicaId> awaited) {
    if (awaited.isEmpty()) {
      return null;
    }
    return "The first view of the group begins when every configured replica has started. It waits for "
        + awaited.stream().map(this::described).collect(Collectors.joining(", and for "))
        + ". After that, a majority of the replicas is enough.";
  }

  private String described(ReplicaId replica) {
    String address = peers == null ? null : peers.address(replica);
    return "replica " + replica + (address == null ? "" : " at " + address)
        + (heard.silentNanos(replica) == HeardPeers.NEVER
            ? ", which has sent nothing: start it, or see its log"
            : ", which has been in a view before: see its log");
  }

  void tick(long now, Supplier<String> sentence) {
    if (nextAt == Long.MIN_VALUE) {
      nextAt = now + PATIENCE_NANOS;
    } else if (now - nextAt >= 0) {
      nextAt = now + PAUSE_NANOS;
      String line = sentence.get();
      if (line != null) {
        LOG.warn("Replica {} waits. {}", self, line);
      }
    }
  }
}
