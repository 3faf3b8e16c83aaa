package org.understudy.notification.operation;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Pull points in memory, for one thread. */
final class MemoryPullPoints implements PullPointStore {
  private final Map<String, PullPoint> pullPoints = new HashMap<>();
  private final Map<String, ArrayDeque<byte[]>> messages = new HashMap<>();
  private final Set<String> seen = new HashSet<>();

  @Override
  public PullPoint find(String id) {
    return pullPoints.get(id);
  }

  @Override
  public void put(PullPoint pullPoint) {
    pullPoints.put(pullPoint.id(), pullPoint);
    messages.computeIfAbsent(pullPoint.id(), id -> new ArrayDeque<>());
  }

  @Override
  public void remove(String id) {
    pullPoints.remove(id);
    messages.remove(id);
  }

  @Override
  public int size() {
    return pullPoints.size();
  }

  @Override
  public int messages(String id) {
    return messages.get(id).size();
  }

  @Override
  public long bytes(String id) {
    return messages.get(id).stream().mapToLong(message -> message.length).sum();
  }

  @Override
  public void append(String id, String messageId, List<byte[]> added) {
    if (messageId == null || seen.add(id + messageId)) {
      messages.get(id).addAll(added);
    }
  }

  @Override
  public List<byte[]> oldest(String id, int count, long bytes) {
    List<byte[]> oldest = new ArrayList<>();
    long total = 0;
    for (byte[] message : messages.get(id)) {
      total += message.length;
      if (oldest.size() == count || total > bytes && !oldest.isEmpty()) {
        break;
      }
      oldest.add(message);
    }
    return oldest;
  }

  @Override
  public void removeOldest(String id, int count) {
    for (int i = 0; i < count; i++) {
      messages.get(id).removeFirst();
    }
  }
}
