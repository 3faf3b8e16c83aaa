package org.understudy.replication.runtime.decision;

import org.understudy.replication.core.request.RequestKey;
import org.understudy.replication.core.request.Response;
import org.understudy.replication.core.update.UpdateForm;
import org.understudy.replication.runtime.codec.MessageWriter;

/** What the row of a decision contains: the identity of its request, and the response. */
public final class DecisionContent {
  private DecisionContent() {}

  /** Encodes the identity of a request; empty for null. */
  public static byte[] key(RequestKey key) {
    if (key == null) {
      return new byte[0];
    }
    MessageWriter writer = new MessageWriter(0);
    UpdateForm.write(key, writer);
    return writer.toBytes();
  }

  /** Encodes a response: its format, then its body. */
  public static byte[] response(Response response) {
    byte[] bytes = new byte[1 + response.body().length];
    bytes[0] = response.format();
    System.arraycopy(response.body(), 0, bytes, 1, response.body().length);
    return bytes;
  }
}
