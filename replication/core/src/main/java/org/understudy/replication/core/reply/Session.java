package org.understudy.replication.core.reply;

import java.util.Map;
import java.util.TreeMap;

/** One client's kept replies, by sequence number. */
final class Session {
  final String principal;
  private final TreeMap<Long, StoredReply> replies = new TreeMap<>();
  private long ackBelow;

  Session(String principal, long ackBelow) {
    this.principal = principal;
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

  void put(long sequence, StoredReply reply) {
    if (sequence >= ackBelow) {
      replies.put(sequence, reply);
    }
  }

  /** Forgets what the client will not ask for again. */
  void acknowledge(long below) {
    if (below > ackBelow) {
      ackBelow = below;
      replies.headMap(below).clear();
    }
  }

  Map<Long, StoredReply> replies() {
    return replies;
  }
}
