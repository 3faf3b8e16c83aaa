package org.understudy.notification.delivery;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The progress of delivery, from which another replica can continue. A position that is too low is safe: messages are sent
 * again with the same id. Immutable.
 *
 * @param floor every message up to this position is delivered, filtered out or dropped, for every subscription
 * @param published for subscriptions that do not lag, the same holds up to this position
 * @param laggards for these, it holds up to the given lower position
 */
public record Checkpoint(long floor, long published, Map<String, Long> laggards) {
  /** Before the first message. */
  public static final Checkpoint NONE = new Checkpoint(0, 0, Map.of());
  /** The maximum number of laggards in an encoded checkpoint. */
  public static final int MAX_LAGGARDS = 1_000_000;

  /** Copies the map. */
  public Checkpoint {
    laggards = Map.copyOf(laggards);
  }

  /** The position up to which a subscription needs no messages. */
  public long of(String subscription) {
    return laggards.getOrDefault(subscription, published);
  }

  /**
   * This checkpoint, or a lower one with at most this many laggards, those with the lowest positions. The other
   * subscriptions get the position of the least of the omitted ones.
   */
  public Checkpoint atMost(int number) {
    if (laggards.size() <= number) {
      return this;
    }
    List<Map.Entry<String, Long>> ordered = new ArrayList<>(laggards.entrySet());
    ordered.sort(Map.Entry.comparingByValue());
    long others = ordered.get(number).getValue();
    Map<String, Long> named = new HashMap<>();
    for (Map.Entry<String, Long> laggard : ordered.subList(0, number)) {
      if (laggard.getValue() < others) {
        named.put(laggard.getKey(), laggard.getValue());
      }
    }
    return new Checkpoint(floor, others, named);
  }

  /** Encodes this checkpoint; equal checkpoints give equal bytes. */
  public byte[] encode() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(64 + 48 * laggards.size());
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      out.writeLong(floor);
      out.writeLong(published);
      out.writeInt(laggards.size());
      for (Map.Entry<String, Long> laggard : new TreeMap<>(laggards).entrySet()) {
        out.writeUTF(laggard.getKey());
        out.writeLong(laggard.getValue());
      }
    } catch (IOException e) {
      throw new IllegalStateException("Checkpoint could not be written to memory.", e);
    }
    return bytes.toByteArray();
  }

  /**
   * Decodes a checkpoint.
   *
   * @throws IllegalArgumentException when the bytes are invalid
   */
  public static Checkpoint decode(byte[] bytes) {
    try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
      long floor = in.readLong();
      long published = in.readLong();
      int number = in.readInt();
      if (number < 0 || number > MAX_LAGGARDS) {
        throw new IllegalArgumentException("The checkpoint has " + number + " lagging subscriptions, which is invalid.");
      }
      Map<String, Long> laggards = new HashMap<>();
      for (int i = 0; i < number; i++) {
        laggards.put(in.readUTF(), in.readLong());
      }
      return new Checkpoint(floor, published, laggards);
    } catch (IOException e) {
      throw new IllegalArgumentException("The checkpoint is unreadable: " + e.getMessage(), e);
    }
  }
}
