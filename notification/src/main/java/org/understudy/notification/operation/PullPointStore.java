package org.understudy.notification.operation;

import java.util.List;

/** Where pull points and their messages are kept. The operations on one pull point are not called at the same time. */
public interface PullPointStore {
  /** The pull point of that id; null when there is none. One whose time is up may still be there. */
  PullPoint find(String id);

  /** Keeps a pull point, in place of the one with the same id, whose messages stay. */
  void put(PullPoint pullPoint);

  /** Forgets a pull point and its messages. */
  void remove(String id);

  /** How many pull points there are. */
  int size();

  /** How many messages wait in one. */
  int messages(String id);

  /** How many bytes they have. */
  long bytes(String id);

  /**
   * Adds messages behind those that wait: all or none.
   *
   * @param messageId recognises a repetition; null: nothing does. The store may drop a message that recently came with
   *     the same id
   * @param messages elements {@code wsnt:NotificationMessage} that declare every prefix they use
   */
  void append(String id, String messageId, List<byte[]> messages);

  /**
   * The messages that wait longest, in order, still kept.
   *
   * @param count so many at most
   * @param bytes so many at most together; one message that is longer comes alone
   */
  List<byte[]> oldest(String id, int count, long bytes);

  /** Removes so many of the messages that wait longest. */
  void removeOldest(String id, int count);
}
