package org.understudy.replication.core.session;

import java.util.Iterator;
import java.util.Map;
import java.util.TreeMap;
import org.understudy.replication.core.request.RequestKey;

/**
 * One client's stored replies, by sequence number. Iterates from the front, because views of the map take several times
 * longer for the one or two replies that a request acknowledges.
 */
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

  /** Bytes of the stored replies. */
  long bytes() {
    return bytes;
  }

  /** The number of replies that {@link #acknowledge} would free. */
  int sizeBelow(long below) {
    int freed = 0;
    for (Long sequence : replies.keySet()) {
      if (sequence >= below) {
        break;
      }
      freed++;
    }
    return freed;
  }

  /** The bytes that {@link #acknowledge} would free. */
  long bytesBelow(long below) {
    long freed = 0;
    for (Map.Entry<Long, StoredReply> reply : replies.entrySet()) {
      if (reply.getKey() >= below) {
        break;
      }
      freed += reply.getValue().bytes();
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

  /** Removes the replies that the client will not request again. */
  void acknowledge(long below) {
    if (below > ackBelow) {
      ackBelow = below;
      Iterator<Map.Entry<Long, StoredReply>> all = replies.entrySet().iterator();
      while (all.hasNext()) {
        Map.Entry<Long, StoredReply> reply = all.next();
        if (reply.getKey() >= below) {
          break;
        }
        bytes -= reply.getValue().bytes();
        all.remove();
      }
    }
  }

  Map<Long, StoredReply> replies() {
    return replies;
  }
}
