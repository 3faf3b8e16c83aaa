package org.understudy.notification.operation;

import java.util.List;

/** Stores pull points and their messages. Operations on one pull point are never concurrent. */
public interface PullPointStore {
  /** The pull point with this id; null for none. Can return an expired one. */
  PullPoint find(String id);

  /** Stores a pull point, replacing the one with the same id and keeping its messages. */
  void put(PullPoint pullPoint);

  /** Removes a pull point and its messages. */
  void remove(String id);

  /** The number of pull points. */
  int size();

  /** The number of queued messages in one. */
  int messages(String id);

  /** The bytes of the queued messages in one. */
  long bytes(String id);

  /**
   * Appends messages: all or none.
   *
   * @param messageId identifies duplicates; null: none. The store may drop a message whose id came recently
   * @param messages elements {@code wsnt:NotificationMessage} that declare every prefix they use
   */
  void append(String id, String messageId, List<byte[]> messages);

  /**
   * The oldest messages, in order, without removing them.
   *
   * @param count the maximum number
   * @param bytes the maximum size together; a longer single message is returned alone
   */
  List<byte[]> oldest(String id, int count, long bytes);

  /** Removes this many of the oldest messages. */
  void removeOldest(String id, int count);
}
