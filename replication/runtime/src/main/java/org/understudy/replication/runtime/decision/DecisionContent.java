package org.understudy.replication.runtime.decision;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.understudy.replication.api.decision.DecidedRow;
import org.understudy.replication.core.Input;
import org.understudy.replication.core.request.RequestKey;
import org.understudy.replication.core.request.Response;
import org.understudy.replication.core.update.UpdateForm;
import org.understudy.replication.core.wire.ArrayReader;
import org.understudy.replication.core.wire.UnreadableException;
import org.understudy.replication.core.wire.WireVersions;
import org.understudy.replication.runtime.codec.MessageWriter;

/** What the row of a decision contains: the identity of its request, the digest of the request, and the response. */
public final class DecisionContent {
  /** The first byte of a response with a digest; builds that wrote none began with another one. */
  private static final byte WITH_DIGEST = -1;

  private static final int HEADER_BYTES = 1 + Long.BYTES + 1;

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

  /** The lowest key of a request that is known by message id; those of sessions are lower. */
  public static byte[] lowestMessageId() {
    return new byte[] {key(new RequestKey.OfMessageId(0, 0))[0]};
  }

  /** Encodes a response: the digest of its request, its format, then its body. */
  public static byte[] response(long digest, Response response) {
    return ByteBuffer.allocate(HEADER_BYTES + response.body().length)
        .put(WITH_DIGEST).putLong(digest).put(response.format()).put(response.body()).array();
  }

  /** Decodes rows; leaves those out that another build has written in a form that this one does not know. */
  public static List<Input.RecalledReply> replies(List<DecidedRow> rows) {
    List<Input.RecalledReply> replies = new ArrayList<>(rows.size());
    for (DecidedRow row : rows) {
      RequestKey key = key(row.key());
      byte[] response = row.response();
      if (key != null && response != null && response.length >= HEADER_BYTES && response[0] == WITH_DIGEST) {
        ByteBuffer bytes = ByteBuffer.wrap(response, 1, response.length - 1);
        long digest = bytes.getLong();
        byte format = bytes.get();
        byte[] body = new byte[bytes.remaining()];
        bytes.get(body);
        replies.add(new Input.RecalledReply(row.id(), key, digest, new Response(format, body)));
      }
    }
    return replies;
  }

  private static RequestKey key(byte[] bytes) {
    try {
      return UpdateForm.readKey(new ArrayReader(bytes, 0, bytes.length, WireVersions.CURRENT));
    } catch (UnreadableException e) {
      return null;
    }
  }
}
