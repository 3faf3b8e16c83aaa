package org.understudy.state;

import com.esotericsoftware.kryo.kryo5.util.MapReferenceResolver;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;

/**
 * Tracks the identities of objects other than values, and which objects are being written or read. An object is <em>open</em> from
 * its first field to its last: its hash code may still change.
 */
final class References extends MapReferenceResolver {
  private final List<Object> immutable = new ArrayList<>();
  private final List<Object> open = new ArrayList<>();
  /** Objects that have been read and refer to open ones, maybe through others. */
  private final Set<Object> unfinished = Collections.newSetFromMap(new IdentityHashMap<>());
  private List<Runnable> refills = new ArrayList<>(0);
  private int toOpen;
  private Object root;

  /** Sets the object whose state is written. */
  void root(Object owner) {
    root = owner;
  }

  void beginImmutable(Object object) {
    immutable.add(object);
  }

  void endImmutable() {
    immutable.remove(immutable.size() - 1);
  }

  void open(Object object) {
    open.add(object);
  }

  void close() {
    open.remove(open.size() - 1);
  }

  /** Returns how many references to open objects have been written or read so far, when reading also through other objects. */
  int toOpen() {
    return toOpen;
  }

  /**
   * Records that an object has been read, for later references to it.
   *
   * @param before what {@link #toOpen} returned before its content was read
   */
  void read(Object object, int before) {
    if (toOpen > before) {
      unfinished.add(object);
    }
  }

  /** Keeps a task for the end of the graph, when no object is open. */
  void refillLater(Runnable refill) {
    refills.add(refill);
  }

  /** Returns the tasks in the order in which they were added, and forgets them. */
  List<Runnable> takeRefills() {
    List<Runnable> taken = refills;
    refills = new ArrayList<>(0);
    return taken;
  }

  private void referred(Object object) {
    for (int i = open.size() - 1; i >= 0; i--) {
      if (open.get(i) == object) {
        toOpen++;
        return;
      }
    }
  }

  @Override
  public int getWrittenId(Object object) {
    int id = super.getWrittenId(object);
    if (id >= 0) {
      referred(object);
      if (!immutable.isEmpty() && object != root) {
        requireNotOpen(object);
      }
    }
    return id;
  }

  private void requireNotOpen(Object object) {
    for (Object one : immutable) {
      if (one == object) {
        throw new StateException(
            "an immutable " + object.getClass().getTypeName() + " contains itself, and could not be restored.");
      }
    }
  }

  @Override
  @SuppressWarnings("rawtypes") // As the library declares it.
  public Object getReadObject(Class type, int id) {
    Object read = id < 0 || id >= readObjects.size() ? null : super.getReadObject(type, id);
    if (read == null) {
      throw new StateException("the captured state is damaged: it refers to an object that it does not hold.");
    }
    if (unfinished.contains(read)) {
      toOpen++;
    } else {
      referred(read);
    }
    return read;
  }

  @Override
  @SuppressWarnings("rawtypes") // As the library declares it.
  public boolean useReferences(Class type) {
    return !KnownTypes.ALL.isValue(type) && !type.isEnum() && super.useReferences(type);
  }

  @Override
  public void reset() {
    super.reset();
    immutable.clear();
    open.clear();
    unfinished.clear();
    toOpen = 0;
    root = null;
  }
}
