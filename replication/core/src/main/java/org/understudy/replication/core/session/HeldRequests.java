package org.understudy.replication.core.session;

import java.util.LinkedHashMap;
import java.util.List;
import org.understudy.replication.api.FailureCode;
import org.understudy.replication.core.Effects;
import org.understudy.replication.core.Input;
import org.understudy.replication.core.limit.Shares;
import org.understudy.replication.core.request.Failure;

/** Requests that wait, in the order of arrival, for a view change to end or for an update that their client has seen. */
public final class HeldRequests {
  private final int max;
  private final LinkedHashMap<Long, Input.Requested> byToken = new LinkedHashMap<>();
  private final Shares shares = new Shares();

  HeldRequests(int max) {
    this.max = max;
  }

  /** Adds the request, or fails it when too many of its owner wait. */
  public void add(Input.Requested input, Effects out) {
    long owner = input.request().ownerId();
    if (shares.admits(owner, 1, max)) {
      byToken.put(input.token(), input);
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
    Input.Requested removed = byToken.remove(token);
    if (removed != null) {
      shares.add(removed.request().ownerId(), -1);
    }
  }

  public boolean isEmpty() {
    return byToken.isEmpty();
  }

  /** Removes and returns all waiting requests. */
  public List<Input.Requested> takeAll() {
    List<Input.Requested> all = List.copyOf(byToken.values());
    all.forEach(one -> remove(one.token()));
    return all;
  }
}
