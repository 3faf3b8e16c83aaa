package org.understudy.replication.core.limit;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The kinds of keys in a state. The creator pays for keys of no kind. Where several services share one state, the keys of a
 * service begin with its scope, which is not part of their kind. Immutable.
 */
public final class KeyKinds {
  /** The first character of a scope, which ends with the first slash; no prefix of a kind begins with it. */
  public static final char SCOPE = '@';

  public static final KeyKinds NONE = new KeyKinds(List.of());

  private static final KeyKind OTHER = new KeyKind("", KeyKind.Payer.CREATOR, "", "", 0, "");

  private final Map<String, KeyKind> byPrefix = new LinkedHashMap<>();

  public KeyKinds(List<KeyKind> kinds) {
    for (KeyKind kind : kinds) {
      if (!kind.prefix().isEmpty() && kind.prefix().charAt(0) == SCOPE) {
        throw new IllegalArgumentException("The prefix " + kind.prefix() + " of a kind of keys begins as a scope does.");
      }
      if (byPrefix.put(kind.prefix(), kind) != null) {
        throw new IllegalArgumentException("Two kinds of keys begin with " + kind.prefix() + ".");
      }
    }
  }

  /** The kind of a key. */
  public KeyKind of(String key) {
    int begin = scope(key);
    int slash = key.indexOf('/', begin);
    KeyKind kind = byPrefix.get(key.substring(begin, slash < 0 ? key.length() : slash + 1));
    return kind != null ? kind : slash < 0 ? byPrefix.getOrDefault("", OTHER) : OTHER;
  }

  /** The maximum number of keys of each kind that has one, by prefix. */
  Map<String, Long> maxima() {
    Map<String, Long> maxima = new TreeMap<>();
    byPrefix.forEach((prefix, kind) -> {
      if (kind.max() > 0) {
        maxima.put(prefix, kind.max());
      }
    });
    return maxima;
  }

  /** The length of the scope with which a key begins, its slash included; 0 for none. */
  static int scope(String key) {
    return !key.isEmpty() && key.charAt(0) == SCOPE ? key.indexOf('/') + 1 : 0;
  }
}
