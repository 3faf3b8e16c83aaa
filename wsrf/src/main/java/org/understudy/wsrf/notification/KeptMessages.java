package org.understudy.wsrf.notification;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The messages of the log by their positions, with their keys and sizes. Used by one thread. */
final class KeptMessages {
  /** A message with its key. */
  private record Kept(String key, LogEntry entry, int bytes) {}

  /** Takes a message at its position. */
  @FunctionalInterface
  interface Reader {
    void read(long position, LogEntry entry);
  }

  private final TreeMap<Long, Kept> messages = new TreeMap<>();
  private long bytes;

  /** @param state of the entry; null when it was removed */
  void change(long position, String key, byte[] state) {
    Kept before =
        state == null
            ? messages.remove(position)
            : messages.put(position, new Kept(key, LogEntry.decode(state), state.length));
    bytes += (state == null ? 0 : state.length) - (before == null ? 0L : before.bytes());
  }

  void clear() {
    messages.clear();
    bytes = 0;
  }

  int size() {
    return messages.size();
  }

  /** Passes on the messages behind a position, up to another one, in order. */
  void read(long after, long last, Reader reader) {
    if (after < last) {
      messages.subMap(after, false, last, true).forEach((position, kept) -> reader.read(position, kept.entry()));
    }
  }

  /** The keys of the oldest messages up to a position. */
  List<String> keysUpTo(long last, int most) {
    List<String> keys = new ArrayList<>();
    for (Kept message : messages.headMap(last, true).values()) {
      if (keys.size() == most) {
        break;
      }
      keys.add(message.key());
    }
    return keys;
  }

  /**
   * The position of the newest message that exceeds a limit; 0 when none does.
   *
   * @param mostKept messages
   * @param mostBytes of all messages
   */
  long excessUpTo(int mostKept, long mostBytes) {
    long excess = messages.size() - (long) mostKept;
    long excessBytes = bytes - mostBytes;
    long limit = 0;
    for (Map.Entry<Long, Kept> message : messages.entrySet()) {
      if (excess <= 0 && excessBytes <= 0) {
        break;
      }
      limit = message.getKey();
      excess--;
      excessBytes -= message.getValue().bytes();
    }
    return limit;
  }
}
