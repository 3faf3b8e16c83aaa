package org.understudy.replication.core.session;

import java.util.Arrays;
import org.understudy.replication.core.request.RequestKey;
import org.understudy.replication.core.store.Item;

/**
 * Identities of requests that are known by message id, in the order of their updates: appended at the end, removed at the
 * beginning. Some 50 bytes each, in arrays: a ring of entries, and an open-addressing table of their places.
 */
final class IdentityTable {
  private static final int WORDS = 5;
  private static final int LOW = 1;
  private static final int DIGEST = 2;
  private static final int OWNER = 3;
  private static final int INDEX = 4;
  private static final int SMALLEST = 16;

  private long[] ring = new long[WORDS * SMALLEST];
  /** The place of an entry in the ring, plus one; 0: free. The table has twice as many buckets as the ring has places. */
  private int[] buckets = new int[2 * SMALLEST];
  private int places = SMALLEST;
  private int first;
  private int size;

  int size() {
    return size;
  }

  /** The place of the key's entry, or -1. */
  int find(RequestKey.OfMessageId key) {
    for (int bucket = home(key.high()); buckets[bucket] != 0; bucket = next(bucket)) {
      int place = buckets[bucket] - 1;
      if (ring[WORDS * place] == key.high() && ring[WORDS * place + LOW] == key.low()) {
        return place;
      }
    }
    return -1;
  }

  long digest(int place) {
    return ring[WORDS * place + DIGEST];
  }

  long owner(int place) {
    return ring[WORDS * place + OWNER];
  }

  /** The index of the entry's update. */
  long index(int place) {
    return Math.abs(ring[WORDS * place + INDEX]);
  }

  boolean failed(int place) {
    return ring[WORDS * place + INDEX] < 0;
  }

  /** The place of the oldest entry; the table must not be empty. */
  int first() {
    return first;
  }

  /** @param index of its update, above those of all entries; negative when the request failed */
  void add(RequestKey.OfMessageId key, long digest, long owner, long index) {
    if (size == places) {
      resize(2 * places);
    }
    int place = (first + size) & (places - 1);
    int at = WORDS * place;
    ring[at] = key.high();
    ring[at + LOW] = key.low();
    ring[at + DIGEST] = digest;
    ring[at + OWNER] = owner;
    ring[at + INDEX] = index;
    size++;
    enter(place);
  }

  /** Removes the oldest entry. */
  void removeFirst() {
    int bucket = home(ring[WORDS * first]);
    while (buckets[bucket] != first + 1) {
      bucket = next(bucket);
    }
    // Moves up entries that would not be found across a free bucket.
    for (int other = next(bucket); buckets[other] != 0; other = next(other)) {
      int home = home(ring[WORDS * (buckets[other] - 1)]);
      boolean between = bucket <= other ? bucket < home && home <= other : bucket < home || home <= other;
      if (!between) {
        buckets[bucket] = buckets[other];
        bucket = other;
      }
    }
    buckets[bucket] = 0;
    first = (first + 1) & (places - 1);
    size--;
    if (places > SMALLEST && size < places / 8) {
      resize(places / 2);
    }
  }

  /** All entries in their order, see {@link Item.Identities}. */
  long[] words() {
    long[] words = new long[WORDS * size];
    for (int i = 0; i < size; i++) {
      System.arraycopy(ring, WORDS * ((first + i) & (places - 1)), words, WORDS * i, WORDS);
    }
    return words;
  }

  /** Adds entries as {@link #words} names them. */
  void addAll(long[] words) {
    for (int at = 0; at + WORDS <= words.length; at += WORDS) {
      add(
          new RequestKey.OfMessageId(words[at], words[at + LOW]),
          words[at + DIGEST], words[at + OWNER], words[at + INDEX]);
    }
  }

  private void resize(int more) {
    long[] entries = words();
    places = more;
    ring = Arrays.copyOf(entries, WORDS * places);
    buckets = new int[2 * places];
    first = 0;
    for (int place = 0; place < size; place++) {
      enter(place);
    }
  }

  private void enter(int place) {
    int bucket = home(ring[WORDS * place]);
    while (buckets[bucket] != 0) {
      bucket = next(bucket);
    }
    buckets[bucket] = place + 1;
  }

  private int home(long high) {
    return (int) (high ^ high >>> 32) & (buckets.length - 1);
  }

  private int next(int bucket) {
    return (bucket + 1) & (buckets.length - 1);
  }
}
