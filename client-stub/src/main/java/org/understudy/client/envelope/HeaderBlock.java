package org.understudy.client.envelope;

import java.util.Arrays;
import org.understudy.replication.api.VersionHandle;
import org.understudy.replication.api.VersionHandles;

/**
 * Writes one {@code ReplicationHeader}, as docs/wire.md has it, into an array. All of it is ASCII, so characters are
 * bytes. Used by one thread.
 */
public final class HeaderBlock {
  private byte[] bytes = new byte[384];
  private int count;

  /** The array that {@link #count()} bytes of which are the block. */
  public byte[] bytes() {
    return bytes;
  }

  public int count() {
    return count;
  }

  /**
   * Writes the block of one attempt over the last one.
   *
   * @param readLevel null when the server decides
   * @param forward whether a backup is requested to forward the request
   */
  public void write(
      String session,
      long sequence,
      long ackBelow,
      VersionHandles versions,
      long epoch,
      int attempt,
      String readLevel,
      boolean forward) {
    count = 0;
    text("<ur:ReplicationHeader xmlns:ur=\"urn:understudy:replication:1\"><ur:Session>").text(session);
    text("</ur:Session><ur:Sequence>").number(sequence);
    text("</ur:Sequence><ur:AckBelow>").number(ackBelow);
    text("</ur:AckBelow><ur:VersionHandle>").text(versions.ofGroup().toString());
    text("</ur:VersionHandle>");
    for (VersionHandle handle : versions.ofOtherScopes()) {
      text("<ur:ScopedHandle>").text(handle.toString()).text("</ur:ScopedHandle>");
    }
    text("<ur:Epoch>").number(epoch);
    text("</ur:Epoch><ur:Attempt>").number(attempt);
    text("</ur:Attempt>");
    if (readLevel != null) {
      text("<ur:ReadLevel>").text(readLevel).text("</ur:ReadLevel>");
    }
    if (forward) {
      text("<ur:Forward>true</ur:Forward>");
    }
    text("</ur:ReplicationHeader>");
  }

  @SuppressWarnings("deprecation") // getBytes(int, int, byte[], int) is the one copy without a charset encoder.
  private HeaderBlock text(String ascii) {
    int size = ascii.length();
    if (count + size > bytes.length) {
      bytes = Arrays.copyOf(bytes, Math.max(bytes.length * 2, count + size));
    }
    ascii.getBytes(0, size, bytes, count);
    count += size;
    return this;
  }

  private void number(long value) {
    text(Long.toString(value));
  }
}
