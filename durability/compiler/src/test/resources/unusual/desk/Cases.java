package desk;

import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/** A state object whose types and methods have names that generated code uses. */
public interface Cases extends Bag<String> {
  record Call(String from) {}

  record SqlAction(int number) {}

  enum List {
    FIRST
  }

  void empty();

  void open(char first, char second);

  void lock(String name, int wait, long hashCode, Long object);

  Optional<Call> take(Call call, Optional<String> note, Item item);

  OptionalInt number(List list);

  @SuppressWarnings("rawtypes")
  Map raw(java.util.List names);

  @SuppressWarnings("unchecked")
  void lists(java.util.List<String>... lists);

  @Deprecated(forRemoval = true)
  java.lang.Number old(Outdated value);

  java.util.List<Call> calls();

  Cases with(String object);
}
