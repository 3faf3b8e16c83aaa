package org.understudy.replication.core.session;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.TreeMap;
import org.understudy.replication.api.FailureCode;
import org.understudy.replication.api.SessionId;
import org.understudy.replication.core.limit.Shares;
import org.understudy.replication.core.request.Failure;
import org.understudy.replication.core.request.Request;
import org.understudy.replication.core.request.RequestKey;
import org.understudy.replication.core.request.Response;
import org.understudy.replication.core.store.Item;
import org.understudy.replication.core.store.StateItems;
import org.understudy.replication.core.update.Eviction;
import org.understudy.replication.core.update.StateUpdate;

/**
 * Sessions, stored replies and identities: replicated state that only {@link #apply} and {@link #restore} change, so that
 * equal updates give equal tables at every replica. Evicts only what updates name: by AckBelow, by the end of a session,
 * and by their {@link Eviction}.
 */
public final class ReplyTable {
  private static final int IDENTITY_WORDS_AN_ITEM = 5 * 1_000;
  private static final int SESSION_ID_BYTES = 16;
  private static final Failure DISCARDED =
      new Failure(FailureCode.ReplyDiscarded, "The request was executed earlier; its reply is no longer kept.");
  private static final Failure FAILED =
      new Failure(
          FailureCode.ExecutionFailed, "The request failed earlier and changed nothing; the reason is no longer kept.");

  private final TreeMap<SessionId, Session> sessions = new TreeMap<>();
  /** Open snapshots of the sessions. */
  private final List<SessionItems> open = new ArrayList<>();
  private final LinkedHashMap<RequestKey.OfNonce, SessionId> opened = new LinkedHashMap<>();
  private final LinkedHashMap<RequestKey.OfMessageId, StoredReply> byMessageId = new LinkedHashMap<>();
  private final IdentityTable identities = new IdentityTable();
  private final Shares sessionShares = new Shares();
  private final Shares replyShares = new Shares();
  private final Shares identityShares = new Shares();
  private long messageReplyBytes;

  /** The stored reply of this request, or null. A {@link FailureCode#ReplyDiscarded} when only its identity is kept. */
  public StoredReply find(RequestKey key) {
    if (key instanceof RequestKey.OfSession of) {
      Session session = sessions.get(of.session());
      return session == null ? null : session.find(of.sequence());
    }
    if (key instanceof RequestKey.OfMessageId of) {
      StoredReply stored = byMessageId.get(of);
      int place = stored != null ? -1 : identities.find(of);
      return place < 0
          ? stored
          : new StoredReply(
              identities.digest(place), identities.index(place), identities.failed(place) ? FAILED : DISCARDED);
    }
    return null;
  }

  // ---- sessions

  public boolean knows(SessionId session) {
    return sessions.containsKey(session);
  }

  /** The open session with this nonce, or null. */
  public SessionId opened(RequestKey.OfNonce nonce) {
    return opened.get(nonce);
  }

  /** The principal of the session, or null when the session is unknown. */
  public String principal(SessionId id) {
    Session session = sessions.get(id);
    return session == null ? null : session.principal;
  }

  /** Whether the session has this many replies to later requests. */
  boolean isBehind(RequestKey.OfSession key, int later) {
    Session session = sessions.get(key.session());
    return session != null && session.size() - session.sizeBelow(key.sequence() + 1) >= later;
  }

  /** The client will not retry sequence numbers below this one; 0 when the session is unknown. */
  public long ackBelow(SessionId id) {
    Session session = sessions.get(id);
    return session == null ? 0 : session.ackBelow();
  }

  /** The number of the session's replies that remain after this acknowledgement. */
  public int kept(SessionId id, long ackBelow) {
    Session session = sessions.get(id);
    return session == null ? 0 : session.size() - session.sizeBelow(ackBelow);
  }

  /** Bytes of the replies that are kept for the session. */
  public long keptBytes(SessionId id) {
    Session session = sessions.get(id);
    return session == null ? 0 : session.bytes();
  }

  /** Bytes of the session's replies that this acknowledgement frees. */
  public long acknowledgedBytes(SessionId id, long ackBelow) {
    Session session = sessions.get(id);
    return session == null ? 0 : session.bytesBelow(ackBelow);
  }

  /** The owner that pays for the session. */
  public long owner(SessionId id) {
    Session session = sessions.get(id);
    return session == null ? 0 : session.owner;
  }

  public int sessions() {
    return sessions.size();
  }

  /** In ascending order. */
  public List<SessionId> sessionIds() {
    return List.copyOf(sessions.keySet());
  }

  // ---- how much there is

  /** Open sessions, by owner. */
  public Shares sessionShares() {
    return sessionShares;
  }

  /** Bytes of kept replies of sessions, by owner. */
  public Shares replyShares() {
    return replyShares;
  }

  /** Identities of requests that are known by message id, by owner. */
  public Shares identityShares() {
    return identityShares;
  }

  /** Bytes of kept replies to requests that are known by message id. */
  public long messageReplyBytes() {
    return messageReplyBytes;
  }

  /** Bytes of all kept replies. */
  public long replyBytes() {
    return messageReplyBytes + replyShares.total();
  }

  /** The index of the update that brought the oldest identity; {@link Long#MAX_VALUE} when there is none. */
  public long oldestIdentity() {
    return identities.size() == 0 ? Long.MAX_VALUE : identities.index(identities.first());
  }

  /** The index up to which replies to requests known by message id must be evicted to free this many bytes; 0: none. */
  public long repliesToFree(long bytes) {
    long freed = 0;
    long index = 0;
    for (Iterator<StoredReply> replies = byMessageId.values().iterator(); freed < bytes && replies.hasNext(); ) {
      StoredReply reply = replies.next();
      freed += reply.bytes();
      index = Math.max(index, reply.index());
    }
    return index;
  }

  // ---- changes

  /**
   * Applies one state update.
   *
   * @param withIdentities false for a mutant
   */
  public void apply(StateUpdate update, boolean withIdentities) {
    evict(update.eviction());
    StoredReply reply = new StoredReply(update.digest(), update.index(), update.outcome());
    if (update.key() instanceof RequestKey.OfNonce nonce && isSessionId(update)) {
      Response response = (Response) update.outcome();
      open(SessionId.ofBytes(response.body()), new Session(nonce, update.principal(), update.owner(), 0));
    } else if (update.key() instanceof RequestKey.OfSession of) {
      Session session = sessions.get(of.session());
      if (session != null) {
        changing(of.session(), session);
        long before = session.bytes();
        if (update.kind() == Request.Kind.CLOSE_SESSION) {
          sessions.remove(of.session());
          opened.remove(session.nonce, of.session());
          sessionShares.add(session.owner, -1);
          replyShares.add(session.owner, -before);
        } else {
          session.acknowledge(update.ackBelow());
          session.put(of.sequence(), reply);
          replyShares.add(session.owner, session.bytes() - before);
        }
      }
    } else if (update.key() instanceof RequestKey.OfMessageId of) {
      if (withIdentities && identities.find(of) < 0) {
        boolean failed = update.outcome() instanceof Failure failure && failure.code() != FailureCode.ReplyDiscarded;
        identities.add(of, update.digest(), update.owner(), failed ? -update.index() : update.index());
        identityShares.add(update.owner(), 1);
      }
      keep(of, reply);
    }
  }

  private static boolean isSessionId(StateUpdate update) {
    return update.outcome() instanceof Response response && response.body().length == SESSION_ID_BYTES;
  }

  private void changing(SessionId id, Session session) {
    for (int i = 0; i < open.size(); i++) {
      open.get(i).keep(id, session);
    }
  }

  private void open(SessionId id, Session session) {
    changing(id, sessions.get(id));
    if (sessions.putIfAbsent(id, session) == null) {
      opened.put(session.nonce, id);
      sessionShares.add(session.owner, 1);
    }
  }

  private void keep(RequestKey.OfMessageId key, StoredReply reply) {
    StoredReply before = byMessageId.put(key, reply);
    messageReplyBytes += reply.bytes() - (before == null ? 0 : before.bytes());
  }

  /** Evicts what an update names that adds nothing. */
  public void evict(Eviction eviction) {
    while (identities.size() > 0 && identities.index(identities.first()) <= eviction.identitiesUpTo()) {
      identityShares.add(identities.owner(identities.first()), -1);
      identities.removeFirst();
    }
    discardReplies(Math.max(eviction.identitiesUpTo(), eviction.repliesUpTo()));
  }

  /** Evicts replies to requests known by message id that came with this index or an earlier one. */
  public void discardReplies(long upTo) {
    for (Iterator<StoredReply> replies = byMessageId.values().iterator(); replies.hasNext(); ) {
      StoredReply reply = replies.next();
      if (reply.index() > upTo) {
        break;
      }
      messageReplyBytes -= reply.bytes();
      replies.remove();
    }
  }

  // ---- state transfer

  /** All items now, for a state transfer; {@link #restore} takes them in this order. */
  StateItems snapshot() {
    return new ReplyItems(new SessionItems(sessions, open), requestsById().iterator());
  }

  /** All items now, in the order of {@link #snapshot}. */
  public List<Item> items() {
    List<Item> items = new ArrayList<>();
    try (StateItems snapshot = snapshot()) {
      for (Item item = snapshot.next(); item != null; item = snapshot.next()) {
        items.add(item);
      }
    }
    return items;
  }

  private List<Item> requestsById() {
    List<Item> items = new ArrayList<>();
    long[] words = identities.words();
    for (int from = 0; from < words.length; from += IDENTITY_WORDS_AN_ITEM) {
      int to = Math.min(words.length, from + IDENTITY_WORDS_AN_ITEM);
      items.add(new Item.Identities(Arrays.copyOfRange(words, from, to)));
    }
    byMessageId.forEach((key, stored) -> items.add(stored.item(key)));
    return items;
  }

  /** Sessions, then what is known by message id. */
  private record ReplyItems(SessionItems sessions, Iterator<Item> rest) implements StateItems {
    @Override
    public Item next() {
      Item next = sessions.next();
      return next != null || !rest.hasNext() ? next : rest.next();
    }

    @Override
    public void close() {
      sessions.close();
    }
  }

  /** Adds one of {@link #items}; ignores others. */
  public void restore(Item item) {
    if (item instanceof Item.Session session) {
      open(
          session.id(),
          new Session(session.nonce(), session.principal(), session.owner(), session.ackBelow()));
    } else if (item instanceof Item.Identities some) {
      identities.addAll(some.words());
      for (int place = 0; place < some.words().length / 5; place++) {
        identityShares.add(some.words()[5 * place + 3], 1);
      }
    } else if (item instanceof Item.StoredReply stored) {
      StoredReply reply = new StoredReply(stored.digest(), stored.index(), stored.outcome());
      if (stored.key() instanceof RequestKey.OfSession of && sessions.containsKey(of.session())) {
        Session session = sessions.get(of.session());
        long before = session.bytes();
        session.put(of.sequence(), reply);
        replyShares.add(session.owner, session.bytes() - before);
      } else if (stored.key() instanceof RequestKey.OfMessageId of) {
        keep(of, reply);
      }
    }
  }
}
