package org.understudy.replication.core;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The kinds of keys that a state has. Those of no kind are paid for by their creator. Immutable. */
public final class KeyKinds {
  public static final KeyKinds NONE = new KeyKinds(List.of());

  private static final KeyKind OTHER = new KeyKind("", KeyKind.Payer.CREATOR, "", "", 0, "");

  private final Map<String, KeyKind> byPrefix = new LinkedHashMap<>();

  public KeyKinds(List<KeyKind> kinds) {
    for (KeyKind kind : kinds) {
      if (byPrefix.put(kind.prefix(), kind) != null) {
        throw new IllegalArgumentException("Two kinds of keys begin with " + kind.prefix() + ".");
      }
    }
  }

  /** The kind of a key. */
  public KeyKind of(String key) {
    int slash = key.indexOf('/');
    KeyKind kind = byPrefix.get(slash < 0 ? key : key.substring(0, slash + 1));
    return kind != null ? kind : slash < 0 ? byPrefix.getOrDefault("", OTHER) : OTHER;
  }
}
