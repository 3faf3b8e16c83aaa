package org.understudy.wsrf.notification;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import javax.xml.namespace.QName;
import org.junit.jupiter.api.Test;
import org.understudy.notification.topic.TopicPath;

class KeptMessagesTest {
  private final KeptMessages kept = new KeptMessages();

  private static byte[] entry() {
    return new LogEntry("", new TopicPath(List.of(new QName("urn:t", "T"))), new byte[100], null, null).encode();
  }

  private void add(long... positions) {
    for (long position : positions) {
      kept.change(position, "message/" + position, entry());
    }
  }

  private List<Long> read(long after, long last) {
    List<Long> positions = new ArrayList<>();
    kept.read(after, last, (position, entry) -> positions.add(position));
    return positions;
  }

  @Test
  void messagesAreReadInOrder() {
    add(3, 1, 2, 5);
    assertEquals(List.of(2L, 3L), read(1, 4));
    assertEquals(List.of(), read(4, 4));
    assertEquals(List.of(), read(5, 1));
  }

  @Test
  void theOldestKeysUpToAPosition() {
    add(1, 2, 3);
    assertEquals(List.of("message/1", "message/2"), kept.keysUpTo(2, 10));
    assertEquals(List.of("message/1"), kept.keysUpTo(2, 1));
    assertEquals(List.of(), kept.keysUpTo(0, 10));
  }

  @Test
  void theLimitsCountMessagesAndBytes() {
    int bytes = entry().length;
    add(1, 2, 3, 4);
    assertEquals(0, kept.excessUpTo(4, 4L * bytes));
    assertEquals(2, kept.excessUpTo(2, Long.MAX_VALUE));
    assertEquals(3, kept.excessUpTo(10, bytes));
    add(2);
    assertEquals(0, kept.excessUpTo(4, 4L * bytes));
    kept.change(1, "message/1", null);
    kept.change(1, "message/1", null);
    assertEquals(3, kept.size());
    assertEquals(0, kept.excessUpTo(4, 3L * bytes));
    kept.clear();
    assertEquals(0, kept.excessUpTo(0, 0));
  }
}
