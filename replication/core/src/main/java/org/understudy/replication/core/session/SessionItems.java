package org.understudy.replication.core.session;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.understudy.replication.api.SessionId;
import org.understudy.replication.core.request.RequestKey;
import org.understudy.replication.core.store.Item;
import org.understudy.replication.core.store.StateItems;

/**
 * A snapshot of the sessions of a reply table and their replies. Reads the live sessions; one that changes before it is
 * read is copied first.
 */
final class SessionItems implements StateItems {
  private final NavigableMap<SessionId, Session> sessions;
  private final List<SessionItems> open;
  /** The former items of sessions behind {@link #position} that have changed since; empty for one that did not exist. */
  private final TreeMap<SessionId, List<Item>> before = new TreeMap<>();
  /** The remaining items of the current session. */
  private final ArrayDeque<Item> turn = new ArrayDeque<>();
  /** The current session; null before the first. */
  private SessionId position;
  private boolean closed;

  /**
   * @param sessions the live ones
   * @param open those that are notified of changes; contains this object until it is closed
   */
  SessionItems(NavigableMap<SessionId, Session> sessions, List<SessionItems> open) {
    this.sessions = sessions;
    this.open = open;
    open.add(this);
  }

  /** Called before the session changes; null: before it is opened. */
  void keep(SessionId id, Session session) {
    if ((position == null || id.compareTo(position) > 0) && !before.containsKey(id)) {
      before.put(id, session == null ? List.of() : items(id, session));
    }
  }

  @Override
  public Item next() {
    while (turn.isEmpty() && !closed) {
      Map.Entry<SessionId, Session> living = position == null ? sessions.firstEntry() : sessions.higherEntry(position);
      Map.Entry<SessionId, List<Item>> kept = before.firstEntry();
      if (living == null && kept == null) {
        close();
      } else if (kept != null && (living == null || kept.getKey().compareTo(living.getKey()) <= 0)) {
        position = kept.getKey();
        turn.addAll(before.pollFirstEntry().getValue());
      } else {
        position = living.getKey();
        turn.addAll(items(position, living.getValue()));
      }
    }
    return turn.poll();
  }

  @Override
  public void close() {
    closed = true;
    turn.clear();
    before.clear();
    open.remove(this);
  }

  private static List<Item> items(SessionId id, Session session) {
    List<Item> items = new ArrayList<>();
    items.add(new Item.Session(id, session.nonce, session.principal, session.owner, session.ackBelow()));
    session.replies().forEach((sequence, reply) -> items.add(reply.item(new RequestKey.OfSession(id, sequence))));
    return items;
  }
}
