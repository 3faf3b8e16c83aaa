package org.understudy.container.response;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.understudy.replication.api.FailureCode;
import org.understudy.replication.core.limit.ByteLimits;

class BoundedContentTest {
  private final BoundedContent content = new BoundedContent(5_000);

  @Test
  void keepsWhatIsWrittenUpToItsLimit() {
    byte[] written = new byte[5_000];
    for (int i = 0; i < written.length; i++) {
      written[i] = (byte) i;
    }
    content.write(written[0]);
    content.write(written, 1, 2_000);
    content.write(written, 2_001, 2_999);
    assertFalse(content.isTooLong());
    assertEquals(5_000, content.length());
    assertArrayEquals(written, Arrays.copyOf(content.bytes(), 5_000));
  }

  @Test
  void aboveItsLimitItKeepsNothingAndCounts() {
    content.write(new byte[5_000], 0, 5_000);
    content.write(1);
    for (int i = 0; i < 3_000_000; i++) {
      content.write(new byte[1_000], 0, 1_000);
    }
    assertTrue(content.isTooLong());
    assertEquals(3_000_005_001L, content.length());
    assertThrows(IllegalStateException.class, content::bytes);
  }

  @Test
  void isUsableAgainAfterAReset() {
    content.write(new byte[6_000], 0, 6_000);
    content.reset();
    content.write('a');
    assertFalse(content.isTooLong());
    assertEquals(1, content.length());
    assertEquals('a', content.bytes()[0]);
    content.write(new byte[6_000], 0, 6_000);
    assertFalse(content.another().isTooLong());
  }

  @Test
  void aResponseMayHaveAnEnvelopeBesideWhatIsStored() {
    ResponseLimits limits = ResponseLimits.of(ByteLimits.DEFAULTS, 1L << 40);
    BoundedContent update = limits.content(false);
    update.write(new byte[9 << 20], 0, 9 << 20);
    assertFalse(update.isTooLong());
    update.write(1);
    assertTrue(update.isTooLong());
    BoundedContent read = limits.content(true);
    // No state update contains it.
    read.write(new byte[40 << 20], 0, 40 << 20);
    assertFalse(read.isTooLong());
    assertEquals(FailureCode.TooLarge, limits.tooLong(true, 1L << 40).code());
  }

  @Test
  void whatIsKnownToBeTooLongIsCountedAndNotWritten() {
    content.write(1);
    assertTrue(content.hasRoomFor(4));
    assertThrows(IllegalArgumentException.class, () -> content.skip(4));
    assertFalse(content.isTooLong());
    content.skip(1 << 20);
    assertTrue(content.isTooLong());
    assertEquals((1 << 20) + 1, content.length());
  }

  @Test
  void aReadMayHaveAPartOfTheHeapOnly() {
    assertEquals(24 << 20, ResponseLimits.of(ByteLimits.DEFAULTS, 384L << 20).read());
    assertEquals(64 << 20, ResponseLimits.of(ByteLimits.DEFAULTS, 8L << 30).read());
  }
}
