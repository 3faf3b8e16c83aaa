package org.understudy.wsrf.notification;

import java.nio.ByteBuffer;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;
import org.understudy.notification.operation.PullPoint;
import org.understudy.notification.operation.PullPointOperations;
import org.understudy.notification.operation.PullPointRules;
import org.understudy.notification.operation.PullPointStore;
import org.understudy.notification.subscription.References;
import org.understudy.replication.runtime.state.StateListener;
import org.understudy.wsrf.resource.ResourceTransaction;
import org.understudy.wsrf.resource.TerminationTime;

/**
 * The pull points of the group and their messages in the replicated state (WS-BaseNotification 1.3, section 5). The content
 * of a pull point changes only in transactions on its key, so such a transaction sees all of it.
 */
public final class PullPoints implements StateListener {
  /** The key prefix of a pull point. */
  public static final String POINTS = "pullpoint/";

  /** The key prefix of a pull point's messages. */
  static final String MESSAGES = "pulled/";
  /** The key prefix of a subscription's progress with a pull point. */
  static final String PROGRESS = "pulling/";

  private final PullPointRules rules;
  private final References references;
  private final Clock clock;
  private final ConcurrentHashMap<String, Waiting> points = new ConcurrentHashMap<>();

  /** The content of one pull point. */
  private static final class Waiting {
    /** By key, the oldest first. */
    final ConcurrentSkipListMap<String, byte[]> messages = new ConcurrentSkipListMap<>();

    final AtomicLong bytes = new AtomicLong();
    final Set<String> progress = ConcurrentHashMap.newKeySet();
  }

  PullPoints(PullPointRules rules, References references, Clock clock) {
    this.rules = rules;
    this.references = references;
    this.clock = clock;
  }

  /** The operations on pull points, within a transaction. */
  PullPointOperations operations(ResourceTransaction transaction) {
    return new PullPointOperations(rules, references, new Store(transaction), clock);
  }

  static String progressKey(String point, String subscription) {
    return PROGRESS + point + "/" + subscription;
  }

  // ------------------------------------------------------------------------------------------------ the state

  @Override
  public void onReset() {
    points.clear();
  }

  @Override
  public boolean follows(String key) {
    return key.startsWith(MESSAGES) || key.startsWith(PROGRESS) || key.startsWith(POINTS);
  }

  /** A state transfer passes the keys in no order: the content of a pull point may arrive before it. */
  @Override
  public void onChange(String key, byte[] state) {
    if (key.startsWith(MESSAGES)) {
      Waiting waiting = of(key, MESSAGES);
      byte[] before = state == null ? waiting.messages.remove(key) : waiting.messages.put(key, state);
      waiting.bytes.addAndGet((state == null ? 0 : state.length) - (before == null ? 0L : before.length));
    } else if (key.startsWith(PROGRESS)) {
      if (state == null) {
        of(key, PROGRESS).progress.remove(key);
      } else {
        of(key, PROGRESS).progress.add(key);
      }
    } else if (key.startsWith(POINTS)) {
      String id = key.substring(POINTS.length());
      if (state == null) {
        points.remove(id);
      } else {
        points.computeIfAbsent(id, i -> new Waiting());
      }
    }
  }

  private Waiting of(String key, String prefix) {
    String id = key.substring(prefix.length(), key.indexOf('/', prefix.length()));
    return points.computeIfAbsent(id, i -> new Waiting());
  }

  /** The number of pull points. */
  public int size() {
    return points.size();
  }

  /** Ends the transaction's pull point, with all its content. */
  void destroy(ResourceTransaction transaction) {
    new Store(transaction).remove(transaction.key().substring(POINTS.length()));
  }

  /** The pull points with the changes of one transaction, to which this object belongs. */
  private final class Store implements PullPointStore {
    private final ResourceTransaction transaction;

    Store(ResourceTransaction transaction) {
      this.transaction = transaction;
    }

    @Override
    public PullPoint find(String id) {
      byte[] kept = transaction.state(POINTS + id);
      return kept == null
          ? null
          : new PullPoint(
              id,
              Instant.ofEpochMilli(ByteBuffer.wrap(kept).getLong()),
              Optional.ofNullable(TerminationTime.of(transaction, POINTS + id)));
    }

    @Override
    public void put(PullPoint point) {
      String key = POINTS + point.id();
      transaction.put(key, ByteBuffer.allocate(Long.BYTES).putLong(point.created().toEpochMilli()).array());
      TerminationTime.set(transaction, key, point.termination().orElse(null));
    }

    @Override
    public void remove(String id) {
      transaction.scan(PROGRESS + id + "/");
      Waiting waiting = scan(id);
      if (waiting != null) {
        waiting.messages.keySet().forEach(transaction::remove);
        waiting.progress.forEach(transaction::remove);
      }
      // Last, because listeners of the state remove the pull point with this key.
      transaction.remove(POINTS + id);
      TerminationTime.set(transaction, POINTS + id, null);
    }

    /** The messages of a pull point, or null. */
    private Waiting scan(String id) {
      transaction.scan(MESSAGES + id + "/");
      return points.get(id);
    }

    @Override
    public int size() {
      return points.size();
    }

    @Override
    public int messages(String id) {
      Waiting waiting = points.get(id);
      return waiting == null ? 0 : waiting.messages.size();
    }

    @Override
    public long bytes(String id) {
      Waiting waiting = points.get(id);
      return waiting == null ? 0 : waiting.bytes.get();
    }

    @Override
    public void append(String id, String messageId, List<byte[]> messages) {
      // A retry under the same message id is detected before: it is the same request.
      messages.forEach(message -> transaction.append(MESSAGES + id, message));
    }

    @Override
    public List<byte[]> oldest(String id, int count, long maxBytes) {
      List<byte[]> oldest = new ArrayList<>();
      Waiting waiting = scan(id);
      long bytes = 0;
      if (waiting != null && count > 0) {
        for (byte[] message : waiting.messages.values()) {
          bytes += message.length;
          if (oldest.size() == count || (bytes > maxBytes && !oldest.isEmpty())) {
            break;
          }
          oldest.add(message);
        }
      }
      return oldest;
    }

    @Override
    public void removeOldest(String id, int count) {
      Waiting waiting = scan(id);
      if (waiting != null) {
        waiting.messages.keySet().stream().limit(count).forEach(transaction::remove);
      }
    }
  }
}
