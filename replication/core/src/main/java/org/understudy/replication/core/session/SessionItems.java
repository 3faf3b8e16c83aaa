package org.understudy.replication.core.session;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.understudy.replication.api.SessionId;
import org.understudy.replication.core.RequestKey;
import org.understudy.replication.core.store.Item;
import org.understudy.replication.core.store.StateItems;

/**
 * The sessions of a reply table and their replies, as they were at one moment. Reads the living sessions; one that changes
 * before its turn is copied first.
 */
final class SessionItems implements StateItems {
  private final NavigableMap<SessionId, Session> sessions;
  private final List<SessionItems> open;
  /** The items of sessions behind {@link #position} that have changed since; none for one that was not there. */
  private final TreeMap<SessionId, List<Item>> before = new TreeMap<>();
  /** What is left of the session whose turn it is. */
  private final ArrayDeque<Item> turn = new ArrayDeque<>();
  /** The last session whose turn has come; null before the first. */
  private SessionId position;
  private boolean closed;

  /**
   * @param sessions the living ones
   * @param open those that are to be notified of changes: this is one of them until it is closed
   */
  SessionItems(NavigableMap<SessionId, Session> sessions, List<SessionItems> open) {
    this.sessions = sessions;
    this.open = open;
    open.add(this);
  }

  /** The session is about to change; null: it is about to be opened. */
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
