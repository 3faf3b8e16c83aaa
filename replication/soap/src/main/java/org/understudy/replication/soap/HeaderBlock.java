package org.understudy.replication.soap;

import java.util.Arrays;
import org.understudy.replication.api.VersionHandle;
import org.understudy.replication.api.VersionHandles;

/**
 * Writes the {@link ReplicationHeader} of a request into an array, as docs/wire.md specifies. The text is ASCII, so that each character
 * is one byte. For one thread.
 */
public final class HeaderBlock {
  private byte[] bytes = new byte[384];
  private int count;
  private TransactionReference transaction;

  /** Returns the array whose first {@link #count()} bytes are the block. */
  public byte[] bytes() {
    return bytes;
  }

  public int count() {
    return count;
  }

  /** From now on, blocks name this transaction; null: none. */
  public void inTransaction(TransactionReference reference) {
    transaction = reference;
  }

  /**
   * Writes the block of one attempt. Overwrites the last one.
   *
   * @param readLevel null for the default of the server
   * @param forward whether a replica that cannot serve the request should forward it
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
    text(ReplicationNames.OPEN_HEADER);
    field(ReplicationHeader.SESSION, session);
    field(ReplicationHeader.SEQUENCE, Long.toString(sequence));
    field(ReplicationHeader.ACK_BELOW, Long.toString(ackBelow));
    field(ReplicationNames.VERSION_HANDLE, versions.ofGroup().toString());
    for (VersionHandle handle : versions.ofOtherScopes()) {
      field(ReplicationNames.SCOPED_HANDLE, handle.toString());
    }
    field(ReplicationNames.EPOCH, Long.toString(epoch));
    field(ReplicationHeader.ATTEMPT, Integer.toString(attempt));
    if (readLevel != null) {
      field(ReplicationHeader.READ_LEVEL, readLevel);
    }
    if (forward) {
      field(ReplicationHeader.FORWARD, "true");
    }
    if (transaction != null) {
      text(transaction.element());
    }
    text(ReplicationNames.CLOSE_HEADER);
  }

  private void field(String name, String value) {
    text("<ur:").text(name).text(">").text(value).text("</ur:").text(name).text(">");
  }

  @SuppressWarnings("deprecation") // Only getBytes(int, int, byte[], int) copies without a charset encoder.
  private HeaderBlock text(String ascii) {
    int size = ascii.length();
    if (count + size > bytes.length) {
      bytes = Arrays.copyOf(bytes, Math.max(bytes.length * 2, count + size));
    }
    ascii.getBytes(0, size, bytes, count);
    count += size;
    return this;
  }
}
