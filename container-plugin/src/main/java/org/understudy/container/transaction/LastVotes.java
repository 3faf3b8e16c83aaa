package org.understudy.container.transaction;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/**
 * The last votes of this primary. What has voted read-only is in no log, and a coordinator that has not got that vote asks again. Bounded:
 * a part that is forgotten votes to abort, which is safe. Thread-safe.
 */
final class LastVotes {
  private static final int MAX = 1_000;

  private final Map<String, CompletableFuture<Vote>> votes = new LinkedHashMap<>();

  private static String key(PeerMessage message) {
    return message.from() + " " + message.part() + " " + message.transaction();
  }

  /** Keeps a vote, and returns it as an answer. */
  synchronized CompletableFuture<String> add(PeerMessage message, CompletableFuture<Vote> vote) {
    votes.put(key(message), vote);
    if (votes.size() > MAX) {
      votes.remove(votes.keySet().iterator().next());
    }
    return vote.thenApply(PeerMessage::word);
  }

  /** Returns the answer of a part that has voted read-only, or that votes just now; null for any other. */
  synchronized CompletableFuture<String> readOnly(PeerMessage message) {
    CompletableFuture<Vote> vote = votes.get(key(message));
    return vote != null && (!vote.isDone() || vote.getNow(null) == Vote.READ_ONLY) ? vote.thenApply(PeerMessage::word) : null;
  }
}
