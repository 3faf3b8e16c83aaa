package org.understudy.replication.core.reply;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.understudy.replication.api.SessionId;
import org.understudy.replication.core.Limits;
import org.understudy.replication.core.Message.Item;
import org.understudy.replication.core.RequestKey;
import org.understudy.replication.core.StateUpdate;

/**
 * Sessions and stored replies: replicated state, changed only by {@link #apply} and {@link #restore}, so that equal
 * updates give equal tables on every replica. Also evicts only by what updates say: by AckBelow, and by count for
 * requests that are known by message id alone.
 */
public final class ReplyTable {
  private final Limits limits;
  private final TreeMap<SessionId, Session> sessions = new TreeMap<>();
  private final LinkedHashMap<RequestKey, StoredReply> byMessageId = new LinkedHashMap<>();

  public ReplyTable(Limits limits) {
    this.limits = limits;
  }

  /** The stored reply of this request, or null. */
  public StoredReply find(RequestKey key) {
    if (key instanceof RequestKey.OfSession of) {
      Session session = sessions.get(of.session());
      return session == null ? null : session.find(of.sequence());
    }
    if (key instanceof RequestKey.OfMessageId of) {
      return byMessageId.get(of);
    }
    return null;
  }

  public boolean knows(SessionId session) {
    return sessions.containsKey(session);
  }

  /** Whom the session belongs to, or null when it is unknown. */
  public String principal(SessionId id) {
    Session session = sessions.get(id);
    return session == null ? null : session.principal;
  }

  /** Below this sequence number the client asks no more; 0 when the session is unknown. */
  public long ackBelow(SessionId id) {
    Session session = sessions.get(id);
    return session == null ? 0 : session.ackBelow();
  }

  /** How many replies are kept for the session. */
  public int kept(SessionId id) {
    Session session = sessions.get(id);
    return session == null ? 0 : session.size();
  }

  public int sessions() {
    return sessions.size();
  }

  /** In ascending order. */
  public List<SessionId> sessionIds() {
    return List.copyOf(sessions.keySet());
  }

  /** Takes over what one state update says. */
  public void apply(StateUpdate update) {
    StoredReply reply = new StoredReply(update.digest(), update.index(), update.outcome());
    if (update.key() instanceof RequestKey.OfSession of) {
      switch (update.kind()) {
        case OPEN_SESSION -> sessions.putIfAbsent(of.session(), new Session(update.principal(), 0));
        case CLOSE_SESSION -> sessions.remove(of.session());
        default -> {
          Session session = sessions.get(of.session());
          if (session != null) {
            session.acknowledge(update.ackBelow());
            session.put(of.sequence(), reply);
          }
        }
      }
    } else if (update.key() instanceof RequestKey.OfMessageId of) {
      byMessageId.put(of, reply);
      if (byMessageId.size() > limits.messageIdWindow()) {
        byMessageId.remove(byMessageId.keySet().iterator().next());
      }
    }
  }

  /** Everything, for a state transfer; {@link #restore} takes the items in this order. */
  public List<Item> items() {
    List<Item> items = new ArrayList<>();
    for (Map.Entry<SessionId, Session> entry : sessions.entrySet()) {
      Session session = entry.getValue();
      items.add(new Item.Session(entry.getKey(), session.principal, session.ackBelow()));
      for (Map.Entry<Long, StoredReply> reply : session.replies().entrySet()) {
        StoredReply stored = reply.getValue();
        RequestKey key = new RequestKey.OfSession(entry.getKey(), reply.getKey());
        items.add(new Item.StoredReply(key, stored.digest(), stored.index(), stored.outcome()));
      }
    }
    for (Map.Entry<RequestKey, StoredReply> entry : byMessageId.entrySet()) {
      StoredReply stored = entry.getValue();
      RequestKey key = entry.getKey();
      items.add(new Item.StoredReply(key, stored.digest(), stored.index(), stored.outcome()));
    }
    return items;
  }

  public void restore(Item.Session item) {
    sessions.put(item.id(), new Session(item.principal(), item.ackBelow()));
  }

  public void restore(Item.StoredReply item) {
    StoredReply reply = new StoredReply(item.digest(), item.index(), item.outcome());
    if (item.key() instanceof RequestKey.OfSession of && sessions.containsKey(of.session())) {
      sessions.get(of.session()).put(of.sequence(), reply);
    } else if (item.key() instanceof RequestKey.OfMessageId of) {
      byMessageId.put(of, reply);
    }
  }
}
