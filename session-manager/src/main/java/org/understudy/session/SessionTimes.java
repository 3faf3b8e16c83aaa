package org.understudy.session;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import org.understudy.replication.runtime.state.StateListener;
import org.understudy.session.record.SessionKeys;
import org.understudy.session.record.SessionRecord;

/** The records of all sessions of the group, to find those that have expired. */
final class SessionTimes implements StateListener {
  private final ConcurrentHashMap<String, byte[]> records = new ConcurrentHashMap<>();

  @Override
  public boolean follows(String key) {
    return key.startsWith(SessionKeys.RECORDS);
  }

  @Override
  public void onChange(String key, byte[] state) {
    if (!follows(key)) {
      return;
    }
    if (state == null) {
      records.remove(key);
    } else {
      records.put(key, state);
    }
  }

  @Override
  public void onReset() {
    records.clear();
  }

  int size() {
    return records.size();
  }

  boolean contains(String session) {
    return records.containsKey(SessionKeys.record(session));
  }

  /** The ids of the sessions whose record has this property. */
  List<String> matching(Predicate<SessionRecord> property) {
    List<String> ids = new ArrayList<>();
    records.forEach(
        (key, bytes) -> {
          if (property.test(SessionRecord.decode(bytes))) {
            ids.add(SessionKeys.sessionOf(key));
          }
        });
    return ids;
  }

  /** The sessions that have expired at this time, in milliseconds since 1970. */
  List<String> expired(long now) {
    return matching(record -> record.isExpired(now));
  }
}
