package org.understudy.channel.jgroups;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.Arrays;
import org.jgroups.util.UUID;
import org.understudy.channel.key.GroupKey;

/** Tags of messages, and the name of the cluster, from the group's name and secret. Thread-safe. */
final class MessageSeal {
  private static final int TAG_BYTES = 16;
  private static final int NAME_BYTES = 12;

  private final GroupKey key;

  MessageSeal(String group, byte[] secret) {
    key = new GroupKey("understudy jgroups channel 1", group, secret);
  }

  /** The name of the cluster. Replicas of other groups or with another secret have another one, and JGroups drops what they send. */
  String cluster() {
    return GroupKey.base64(key.tag("cluster", NAME_BYTES));
  }

  /** The message and its tag. */
  byte[] seal(UUID sender, byte[] message) {
    byte[] tag = tag(sender, ByteBuffer.wrap(message));
    return ByteBuffer.allocate(message.length + TAG_BYTES).put(message).put(tag).array();
  }

  /** The message without its tag; null when this member did not send it. */
  byte[] open(UUID sender, byte[] bytes, int offset, int length) {
    int message = length - TAG_BYTES;
    if (message < 0) {
      return null;
    }
    byte[] tag = Arrays.copyOfRange(bytes, offset + message, offset + length);
    boolean valid = MessageDigest.isEqual(tag(sender, ByteBuffer.wrap(bytes, offset, message)), tag);
    return valid ? Arrays.copyOfRange(bytes, offset, offset + message) : null;
  }

  private byte[] tag(UUID sender, ByteBuffer message) {
    ByteBuffer address = ByteBuffer.allocate(2 * Long.BYTES);
    address.putLong(sender.getMostSignificantBits()).putLong(sender.getLeastSignificantBits()).flip();
    return key.tag("message", TAG_BYTES, address, message);
  }
}
