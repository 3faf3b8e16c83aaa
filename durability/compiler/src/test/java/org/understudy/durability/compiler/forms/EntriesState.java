package org.understudy.durability.compiler.forms;

import java.math.BigInteger;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/** In memory. */
public class EntriesState implements Entries {
  private final List<String> calls = new ArrayList<>();

  @Override
  public Entry get(UUID key) {
    return null;
  }

  @Override
  public UUID put(UUID key, List<Entry> values) {
    calls.add("put");
    return key;
  }

  @Override
  public void all(List<? extends Map<String, int[]>> lists, String... names) {
    calls.add("all");
  }

  @Override
  public Optional<Entry> names(Entry object, String returned, boolean when) {
    calls.add("names");
    return Optional.ofNullable(object);
  }

  @Override
  public void load(UUID id, LocalDate day, char grade, BigInteger size, Integer count, Short small) {
    calls.add("load");
  }

  @Override
  public <X extends Comparable<X>> X largest(List<X> of) {
    return of.get(0);
  }

  @Deprecated
  @Override
  public int old(long value) {
    return calls.size();
  }
}
