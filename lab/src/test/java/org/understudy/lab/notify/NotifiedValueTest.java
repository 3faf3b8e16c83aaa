package org.understudy.lab.notify;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.charset.StandardCharsets;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

class NotifiedValueTest {
  private static final String RP = "xmlns:rp='http://docs.oasis-open.org/wsrf/rp-2'";

  @Test
  void theNewValueIsFoundBehindTheOldOne() {
    assertEquals(OptionalInt.of(13), read("<rp:ResourcePropertyValueChangeNotification " + RP + "><rp:OldValues>"
        + "<c:Value xmlns:c='http://counter.com'>3</c:Value></rp:OldValues><rp:NewValues>"
        + "<c:Value xmlns:c='http://counter.com'>13</c:Value></rp:NewValues>"
        + "</rp:ResourcePropertyValueChangeNotification>"));
  }

  @Test
  void prefixesAndSpaceDoNotMatter() {
    assertEquals(OptionalInt.of(-7),
        read("<NewValues a='b'>\n  <Value xmlns='http://counter.com'> -7\n</Value></NewValues>"));
  }

  @Test
  void notificationWithoutNumberHasNoValue() {
    assertEquals(OptionalInt.empty(), read("<ur:Heartbeat xmlns:ur='u'><ur:Epoch>3</ur:Epoch></ur:Heartbeat>"));
    assertEquals(OptionalInt.empty(), read("<NewValues><Value>three</Value></NewValues>"));
    assertEquals(OptionalInt.empty(), read("<NewValues><Value>12345678901</Value></NewValues>"));
    assertEquals(OptionalInt.empty(), read("<NewValues><Value>1"));
    assertEquals(OptionalInt.empty(), read("<NewValues"));
    assertEquals(OptionalInt.empty(), read(""));
  }

  @Test
  void bytesAfterTheMessageAreNotRead() {
    byte[] two = "<a/><NewValues><Value>1</Value>".getBytes(StandardCharsets.US_ASCII);
    assertEquals(OptionalInt.empty(), NotifiedValue.of(two, 0, 4));
    assertEquals(OptionalInt.of(1), NotifiedValue.of(two, 4, two.length));
  }

  private static OptionalInt read(String message) {
    byte[] bytes = message.getBytes(StandardCharsets.US_ASCII);
    return NotifiedValue.of(bytes, 0, bytes.length);
  }
}
