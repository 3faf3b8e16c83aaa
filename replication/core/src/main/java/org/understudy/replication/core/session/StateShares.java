package org.understudy.replication.core.session;

import java.util.LinkedHashMap;
import java.util.Map;
import org.understudy.replication.core.limit.KeyKind;
import org.understudy.replication.core.limit.Shares;

/** The use of the state by each owner: bytes, and keys of the kinds that are limited in number. */
final class StateShares {
  private final Shares bytes = new Shares();
  private final Map<String, Shares> numbers = new LinkedHashMap<>();

  /** Adds to an owner's use; negative numbers subtract. */
  void add(KeyKind kind, long owner, long moreBytes, long moreKeys) {
    bytes.add(owner, moreBytes);
    if (kind.max() > 0) {
      numbers.computeIfAbsent(kind.prefix(), prefix -> new Shares()).add(owner, moreKeys);
    }
  }

  /** Approximate bytes of all keys and their states. */
  Shares bytes() {
    return bytes;
  }

  /** Keys of a kind that is limited in number. */
  Shares numbers(KeyKind kind) {
    return numbers.getOrDefault(kind.prefix(), new Shares());
  }
}
