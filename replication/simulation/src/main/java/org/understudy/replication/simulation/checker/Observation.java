package org.understudy.replication.simulation.checker;

import java.nio.ByteBuffer;

/**
 * What an operation returned: its resource as the operation left or found it.
 *
 * @param effective whether the operation changed the resource; an add to a resource that does not exist does not
 * @param present whether the resource exists
 * @param value of the resource; 0 when it does not exist
 * @param writer the execution that gave the resource this state; 0 for the initial state and for a missing resource
 */
public record Observation(boolean effective, boolean present, long value, long writer) {
  private static final int BYTES = 2 + 3 * Long.BYTES;

  /** @param nonce different in each execution, so that two executions never give equal bytes */
  public byte[] encode(long nonce) {
    return ByteBuffer.allocate(BYTES)
        .put((byte) (effective ? 1 : 0)).put((byte) (present ? 1 : 0)).putLong(value).putLong(writer).putLong(nonce)
        .array();
  }

  /** Null when the bytes are not an observation: the reply to a session request, for example. */
  public static Observation decode(byte[] body) {
    if (body.length != BYTES) {
      return null;
    }
    ByteBuffer bytes = ByteBuffer.wrap(body);
    return new Observation(bytes.get() == 1, bytes.get() == 1, bytes.getLong(), bytes.getLong());
  }
}
