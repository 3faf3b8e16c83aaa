package org.understudy.replication.core.group;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.api.SessionId;
import org.understudy.replication.core.Effects;
import org.understudy.replication.core.Input;
import org.understudy.replication.core.ReadConfirmation;
import org.understudy.replication.core.ReplicaSetup;
import org.understudy.replication.core.Role;
import org.understudy.replication.core.Rule;
import org.understudy.replication.core.group.GroupMessage.IndexQuery;
import org.understudy.replication.core.group.GroupMessage.IndexReply;
import org.understudy.replication.core.membership.Membership;
import org.understudy.replication.core.request.Request;
import org.understudy.replication.core.request.RequestKey;

/**
 * Requests that must see everything that any client had seen when they arrived. A member asks the sequencer, once for all
 * requests that have arrived, and serves them when it has applied as much as the sequencer named. The sequencer answers under
 * its lease or after a round, so that a deposed one does not answer.
 */
final class ReadIndexes {
  /** A request that waits for the answer to this query or a later one. */
  private record Asking(Input.Requested input, long query) {}

  /** A query that waits for the sequencer's confirmation. */
  private record Query(long number, long index, long at, long round) {}

  private final ReplicaSetup setup;
  private final Membership membership;
  /** By token, in the order of arrival, and so of their queries. */
  private final LinkedHashMap<Long, Asking> asking = new LinkedHashMap<>();
  /** Requests whose answer has come, by the index that they wait for, then by token. */
  private final TreeMap<Long, LinkedHashMap<Long, Input.Requested>> indexed = new TreeMap<>();
  /** The index of each of them, by token. */
  private final Map<Long, Long> indexes = new TreeMap<>();
  private final Map<ReplicaId, Query> queries = new TreeMap<>();
  private long number;
  /** Whether to ask although no request waits for the answer. */
  private boolean prompted;
  /** The query that is in flight, or 0. */
  private long asked;
  private long askedAt;

  ReadIndexes(ReplicaSetup setup, Membership membership) {
    this.setup = setup;
    this.membership = membership;
  }

  // ------------------------------------------------------------------------------------------------ a member

  /** Adds a request that has arrived now. The caller then calls {@link #send}. */
  void add(Input.Requested input) {
    asking.put(input.token(), new Asking(input, number + 1));
  }

  /** The next query is sent although no request waits for its answer: who asks is told what is stable. */
  void prompt() {
    prompted = true;
  }

  int size() {
    return asking.size() + indexes.size();
  }

  void remove(long token) {
    asking.remove(token);
    Long index = indexes.remove(token);
    if (index != null) {
      Map<Long, Input.Requested> same = indexed.get(index);
      same.remove(token);
      if (same.isEmpty()) {
        indexed.remove(index);
      }
    }
  }

  /** Calls with each waiting request. */
  void forEach(Consumer<Request> use) {
    asking.values().forEach(one -> use.accept(one.input().request()));
    indexed.values().forEach(some -> some.values().forEach(input -> use.accept(input.request())));
  }

  /** The query to send now, or null: one that covers all waiting requests, if none is in flight or it seems lost. */
  IndexQuery send(long now) {
    boolean lost = asked != 0 && now - askedAt >= setup.timing().heartbeatNanos();
    if (asked != 0 && !lost) {
      return null;
    }
    if (asking.isEmpty() && !prompted) {
      asked = 0;
      return null;
    }
    prompted = false;
    asked = lost ? asked : ++number;
    askedAt = now;
    return new IndexQuery(membership.view().epoch(), asked);
  }

  /** The sessions that requests renew which this query covers. */
  List<SessionId> renewed(IndexQuery query) {
    Set<SessionId> renewed = new TreeSet<>();
    for (Asking one : asking.values()) {
      Request request = one.input().request();
      if (one.query() <= query.number()
          && request.kind() == Request.Kind.RENEW_SESSION
          && request.key() instanceof RequestKey.OfSession of) {
        renewed.add(of.session());
      }
    }
    return List.copyOf(renewed);
  }

  void onReply(IndexReply reply) {
    if (!membership.inView(reply.epoch())) {
      return;
    }
    for (Iterator<Asking> all = asking.values().iterator(); all.hasNext(); ) {
      Asking one = all.next();
      if (one.query() > reply.number()) {
        break;
      }
      all.remove();
      indexed.computeIfAbsent(reply.index(), i -> new LinkedHashMap<>()).put(one.input().token(), one.input());
      indexes.put(one.input().token(), reply.index());
    }
    if (reply.number() == asked) {
      asked = 0;
    }
  }

  /** Removes and returns the requests that may be served as of this update. */
  List<Input.Requested> takeReady(long applied) {
    List<Input.Requested> ready = new ArrayList<>();
    while (!indexed.isEmpty() && indexed.firstKey() <= applied) {
      ready.addAll(indexed.pollFirstEntry().getValue().values());
    }
    ready.forEach(one -> indexes.remove(one.token()));
    return ready;
  }

  /** Removes and returns all that wait, and forgets the queries of others. */
  List<Input.Requested> takeAll() {
    List<Input.Requested> all = new ArrayList<>();
    asking.values().forEach(one -> all.add(one.input()));
    indexed.values().forEach(some -> all.addAll(some.values()));
    asking.clear();
    indexed.clear();
    indexes.clear();
    queries.clear();
    prompted = false;
    asked = 0;
    return all;
  }

  // ------------------------------------------------------------------------------------------------ the sequencer

  /** Whether this replica is the sequencer of the view in which the member has asked. */
  boolean isSequencer(ReplicaId from, long asked) {
    return membership.role() == Role.PRIMARY
        && membership.inView(asked)
        && membership.view().contains(from)
        && !setup.lacksQuorum(membership.view());
  }

  /** @param seen the last update that any client can have seen */
  void onQuery(long now, ReplicaId from, IndexQuery query, long seen, Effects out) {
    boolean asSequencer = isSequencer(from, query.epoch());
    Query before = queries.get(from);
    if (asSequencer && (before == null || before.number() < query.number())) {
      boolean rounds = setup.reads() == ReadConfirmation.ALWAYS;
      queries.put(from, new Query(query.number(), seen, now, rounds ? membership.joinRound(now, out) : 0));
    }
  }

  /** Removes and returns the answers that the lease or a round confirms now. */
  Map<ReplicaId, IndexReply> takeConfirmed(long now) {
    Map<ReplicaId, IndexReply> replies = new TreeMap<>();
    if (queries.isEmpty() || membership.role() != Role.PRIMARY) {
      return replies;
    }
    for (Iterator<Map.Entry<ReplicaId, Query>> all = queries.entrySet().iterator(); all.hasNext(); ) {
      Map.Entry<ReplicaId, Query> entry = all.next();
      Query query = entry.getValue();
      boolean confirmed =
          !setup.enforces(Rule.READ_UNDER_LEASE)
              || (setup.reads() == ReadConfirmation.ALWAYS
                  ? membership.confirmed(query.round())
                  : query.at() <= membership.leaseUntil(now));
      if (confirmed) {
        replies.put(entry.getKey(), new IndexReply(membership.view().epoch(), query.number(), query.index()));
        all.remove();
      }
    }
    return replies;
  }
}
