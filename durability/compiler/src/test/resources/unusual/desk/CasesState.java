package desk;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

public class CasesState implements Cases {
  private final java.util.List<String> names = new ArrayList<>();

  @Override
  public void addAll(Collection<? extends String> items) {
    names.addAll(items);
  }

  @Override
  public <X extends String> void each(X first, java.util.List<? super String> rest) {}

  @Override
  public Map<String, ? extends java.util.List<? super String>> all() {
    return Map.of();
  }

  @Override
  public void empty() {
    names.clear();
  }

  @Override
  public void open(char first, char second) {}

  @Override
  public void lock(String name, int wait, long hashCode, Long object) {}

  @Override
  public Optional<Call> take(Call call, Optional<String> note, Item item) {
    return Optional.empty();
  }

  @Override
  public OptionalInt number(List list) {
    return OptionalInt.empty();
  }

  @Override
  public Map raw(java.util.List list) {
    return Map.of();
  }

  @Override
  public void lists(java.util.List<String>... lists) {}

  @Override
  public java.lang.Number old(Outdated value) {
    return 0;
  }

  @Override
  public java.util.List<Call> calls() {
    return java.util.List.of();
  }

  @Override
  public Cases with(String object) {
    names.add(object);
    return this;
  }

  public byte[] save() throws java.io.IOException {
    throw new java.io.IOException();
  }

  public void load(byte[] state) throws java.io.IOException {
    throw new java.io.IOException();
  }

  public void connect() throws java.io.IOException {
    throw new java.io.IOException();
  }
}
