package org.understudy.durability.compiler.forms;

import java.io.IOException;
import java.math.BigInteger;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/** A state object with many forms of methods. */
public interface Entries extends Keyed<UUID, Entries.Entry> {
  /** What it holds. */
  record Entry(UUID id, LocalDate day, char grade, BigInteger size, Optional<Owner> owner) {}

  /** A bean. */
  final class Owner {
    private final boolean active;
    /** Read as a property. */
    public final String nickname;

    /** Makes one. */
    public Owner(String nickname, boolean active) {
      this.nickname = nickname;
      this.active = active;
    }

    public boolean isActive() {
      return active;
    }

    public Owner getParent() {
      return null;
    }
  }

  /** A list of arrays and a variable number of arguments. */
  void all(List<? extends Map<String, int[]>> lists, String... names) throws IOException, InterruptedException;

  /** Names that generated code uses. */
  Optional<Entry> names(Entry object, String returned, boolean when);

  /** Loads an entry. */
  void load(UUID id, LocalDate day, char grade, BigInteger size, Integer count, Short small) throws IOException;

  /** A method with a type of its own. */
  <X extends Comparable<X>> X largest(List<X> of);

  /** Is not called any more. */
  @Deprecated
  int old(long value);
}
