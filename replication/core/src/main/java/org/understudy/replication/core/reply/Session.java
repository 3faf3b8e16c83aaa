package org.understudy.replication.core.reply;

import java.util.Map;
import java.util.TreeMap;
import org.understudy.replication.core.RequestKey;

/** One client's kept replies, by sequence number. */
final class Session {
  final RequestKey.OfNonce nonce;
  final String principal;
  final long owner;
  private final TreeMap<Long, StoredReply> replies = new TreeMap<>();
  private long ackBelow;
  private long bytes;

  Session(RequestKey.OfNonce nonce, String principal, long owner, long ackBelow) {
    this.nonce = nonce;
    this.principal = principal;
    this.owner = owner;
    this.ackBelow = ackBelow;
  }

  long ackBelow() {
    return ackBelow;
  }

  StoredReply find(long sequence) {
    return replies.get(sequence);
  }

  int size() {
    return replies.size();
  }

  /** Of the kept replies. */
  long bytes() {
    return bytes;
  }

  /** How many replies {@link #acknowledge} would free. */
  int sizeBelow(long below) {
    return replies.headMap(below).size();
  }

  /** What {@link #acknowledge} would free. */
  long bytesBelow(long below) {
    long freed = 0;
    for (StoredReply reply : replies.headMap(below).values()) {
      freed += reply.bytes();
    }
    return freed;
  }

  void put(long sequence, StoredReply reply) {
    if (sequence >= ackBelow) {
      bytes += reply.bytes();
      StoredReply before = replies.put(sequence, reply);
      bytes -= before == null ? 0 : before.bytes();
    }
  }

  /** Forgets what the client will not ask for again. */
  void acknowledge(long below) {
    if (below > ackBelow) {
      bytes -= bytesBelow(below);
      ackBelow = below;
      replies.headMap(below).clear();
    }
  }

  Map<Long, StoredReply> replies() {
    return replies;
  }
}
