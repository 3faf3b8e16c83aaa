package org.understudy.container.twin;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What services, interceptors and handlers of this process have seen since the last message was sent. */
final class Sightings {
  private static final List<Map<String, String>> SEEN = new ArrayList<>();

  private Sightings() {}

  /** @param by service, interceptor or handler; the beginning of each key */
  static synchronized void add(String by, Map<String, String> seen) {
    Map<String, String> named = new TreeMap<>();
    seen.forEach((key, value) -> named.put(by + "." + key, value));
    SEEN.add(named);
  }

  static synchronized boolean hasOf(String by) {
    return SEEN.stream().anyMatch(one -> one.keySet().iterator().next().startsWith(by + "."));
  }

  /** Returns and forgets them. */
  static synchronized List<Map<String, String>> take() {
    List<Map<String, String>> all = List.copyOf(SEEN);
    SEEN.clear();
    return all;
  }
}
