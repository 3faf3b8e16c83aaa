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
import org.understudy.replication.core.request.Failure;
import org.understudy.replication.runtime.share.LocalShares;
import org.understudy.replication.runtime.share.Reservation;

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
    Reservation much = new Reservation(new LocalShares("responses of %d bytes", 1L << 40), "client");
    BoundedContent update = limits.content(false, much);
    update.write(new byte[9 << 20], 0, 9 << 20);
    assertFalse(update.isTooLong());
    update.write(1);
    assertTrue(update.isTooLong());
    BoundedContent read = limits.content(true, much);
    // No state update contains it.
    read.write(new byte[40 << 20], 0, 40 << 20);
    assertFalse(read.isTooLong());
    assertEquals(FailureCode.TooLarge, limits.tooLong(false, update).code());
  }

  @Test
  void aResponseWithoutRoomIsNotKeptAndTheRequestIsRejected() {
    ResponseLimits limits = ResponseLimits.of(ByteLimits.DEFAULTS, 1L << 40);
    LocalShares shares = new LocalShares("responses of %d bytes", 1 << 20);
    Reservation other = new Reservation(shares, "client");
    other.grow(1);
    Reservation request = new Reservation(shares, "client");
    BoundedContent small = limits.content(true, request);
    small.write(new byte[16 << 10], 0, 16 << 10);
    assertEquals(1, shares.total());
    BoundedContent large = limits.content(true, request);
    large.write(new byte[100_000], 0, 100_000);
    assertEquals(200_001, shares.total());
    large.write(new byte[100_000], 0, 100_000);
    assertTrue(large.isTooLong());
    assertFalse(large.hasRoomFor(1));
    large.skip(1);
    large.write(1);
    assertThrows(IllegalStateException.class, large::bytes);
    Failure failure = limits.tooLong(true, large);
    assertEquals(FailureCode.Overloaded, failure.code());
    assertTrue(failure.sentence().startsWith("This client has reached its share"), failure.sentence());
    BoundedContent update = limits.content(false, request);
    update.write(new byte[1 << 20], 0, 1 << 20);
    assertFalse(update.isTooLong(), "an update may have changed what cannot be undone");
    // The execution goes on after its client was answered.
    request.release();
    assertEquals(1, shares.total());
    large.reset();
    large.write(new byte[1 << 20], 0, 1 << 20);
    assertFalse(large.isTooLong());
    other.release();
    assertEquals(0, shares.total());
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
