package org.understudy.replication.core.session;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.understudy.replication.api.FailureCode;
import org.understudy.replication.core.Effects;
import org.understudy.replication.core.Input;
import org.understudy.replication.core.limit.Shares;
import org.understudy.replication.core.request.Failure;

/**
 * Requests that wait for a view change to end or for an update that their client has seen. They are ordered by the update that
 * they wait for, so that progress costs as much as what may continue, not as much as what waits.
 */
public final class HeldRequests {
  /** @param position the update that the request waits for; 0 for none */
  private record Held(Input.Requested input, long position) {}

  private final int max;
  /** In the order of arrival. */
  private final LinkedHashMap<Long, Held> byToken = new LinkedHashMap<>();
  /** The tokens, by what they wait for, then in the order of arrival. */
  private final TreeMap<Long, LinkedHashMap<Long, Input.Requested>> byPosition = new TreeMap<>();
  private final Shares shares = new Shares();

  HeldRequests(int max) {
    this.max = max;
  }

  /** Adds a request that waits for no update, or fails it when too many of its owner wait. */
  public void add(Input.Requested input, Effects out) {
    add(input, 0, out);
  }

  /** Adds a request that waits until this update is applied here, or fails it when too many of its owner wait. */
  public void add(Input.Requested input, long position, Effects out) {
    long owner = input.request().ownerId();
    if (shares.admits(owner, 1, max)) {
      byToken.put(input.token(), new Held(input, position));
      byPosition.computeIfAbsent(position, p -> new LinkedHashMap<>()).put(input.token(), input);
      shares.add(owner, 1);
    } else {
      out.fail(
          input.token(),
          new Failure(
              FailureCode.Overloaded,
              "Too many requests of this caller wait here for a view change or an update. Retry later."));
    }
  }

  /** Removes the request if it waits. */
  void remove(long token) {
    Held removed = byToken.remove(token);
    if (removed != null) {
      shares.add(removed.input().request().ownerId(), -1);
      Map<Long, Input.Requested> same = byPosition.get(removed.position());
      same.remove(token);
      if (same.isEmpty()) {
        byPosition.remove(removed.position());
      }
    }
  }

  public boolean isEmpty() {
    return byToken.isEmpty();
  }

  /** Removes and returns all waiting requests, in the order of arrival. */
  public List<Input.Requested> takeAll() {
    List<Input.Requested> all = byToken.values().stream().map(Held::input).toList();
    all.forEach(one -> remove(one.token()));
    return all;
  }

  /** Removes and returns the requests that wait for this update or an earlier one, or for none. */
  public List<Input.Requested> takeUpTo(long position) {
    if (byPosition.isEmpty() || byPosition.firstKey() > position) {
      return List.of();
    }
    List<Input.Requested> ready = new ArrayList<>();
    byPosition.headMap(position, true).values().forEach(some -> ready.addAll(some.values()));
    ready.forEach(one -> remove(one.token()));
    return ready;
  }
}
