package desk;

import java.util.Collection;
import java.util.List;
import java.util.Map;

/** A supertype whose parameter stands in bounds. */
public interface Bag<T> {
  void addAll(Collection<? extends T> items);

  <X extends T> void each(X first, List<? super T> rest);

  Map<T, ? extends List<? super T>> all();
}
