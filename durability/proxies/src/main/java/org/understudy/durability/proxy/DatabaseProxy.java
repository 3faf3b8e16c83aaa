package org.understudy.durability.proxy;

import java.util.List;
import java.util.function.Supplier;

/**
 * A state object that a database holds (thesis: database proxy). This replica keeps it in memory too, where reads find it. An update
 * method changes both: the memory, and the database by a statement in the operation's transaction, which the container commits.
 *
 * <p>A generated proxy passes reads on. In an update method it calls {@link #updating}, the object's method, {@link #sql} with the
 * statements of the mapping, {@link #updated}, and in any case {@link #ended}. If the object's method throws, nothing is written. If that
 * or a statement throws, the object is loaded again before its next use. Another object that is called within the method may call the
 * reads of this one, but none of its update methods: the statements of the inner method would be executed before those of the outer one.
 *
 * @param <T> the interface of the state object
 */
public abstract non-sealed class DatabaseProxy<T> extends LocalObjectProxy<T> {
  private final SqlDatabase database;
  private final List<String> initialization;
  /** An update method has begun and not ended: the memory may show what was not written. */
  private boolean halfway;
  /** The tables exist. Also written by the thread that prepares a backup. */
  private volatile boolean initialized;
  /** The database has accepted the statements. */
  private volatile boolean checked;
  /** The operation before has changed the object, and its update was captured. */
  private boolean captured;
  /** An update method is running, which has called what calls this object now. */
  private boolean running;

  /**
   * @param name of the object in the mapping
   * @param empty makes an object without content, into which {@link #load(SqlAction, Object)} loads
   * @param database the same for all objects of a service
   * @param initialization the statements that create the tables
   */
  protected DatabaseProxy(String name, Supplier<? extends T> empty, SqlDatabase database, List<String> initialization) {
    super(name, empty, true);
    this.database = database;
    this.initialization = List.copyOf(initialization);
  }

  /** The recovery of the mapping: queries the database and fills an empty object. Blocks. */
  protected abstract void load(SqlAction sql, T into);

  /** All statements of the mapping, which the database parses before they are used. */
  protected List<String> statements() {
    return List.of();
  }

  /**
   * Called before the object's method.
   *
   * @throws IllegalStateException outside an action, and within another update method of the object
   */
  protected final void updating() {
    if (running) {
      throw new IllegalStateException(
          "An update method of the state object " + name() + " was called while another one of it is running, by an object that this one"
              + " calls. The inner call changed nothing, because the database would get its statements first. Let the service call both"
              + " methods, one after the other.");
    }
    changing();
    // Loaded now: while the method runs, the memory is ahead of the database.
    object();
    halfway = true;
    running = true;
  }

  /**
   * Loads the object again, if an earlier method of this action threw. Only the thread of an update finds something to do: reads do not
   * share the object with it.
   */
  @Override
  final void beforeUse() {
    if (halfway) {
      T fresh = empty();
      load(sql(), fresh);
      use(fresh);
      halfway = false;
    }
  }

  @Override
  final boolean isRunning() {
    return running;
  }

  /** The database transaction of the action, begun at its first use. */
  protected final SqlAction sql() {
    return objects().sql(database, inTransaction());
  }

  /** Called after the object's method and the statements. */
  protected final void updated() {
    halfway = false;
  }

  /** Called when the update method ends, also with an exception. */
  protected final void ended() {
    running = false;
  }

  final SqlDatabase database() {
    return database;
  }

  /**
   * Checks the tables and the statements, without creating tables.
   *
   * @return false when the tables do not exist so far
   */
  final boolean prepare() {
    initialized = initialized || database.isInitialized(name(), initialization);
    if (initialized && !checked) {
      check();
    }
    return initialized;
  }

  private void check() {
    database.check(name(), statements());
    checked = true;
  }

  /** Creates the tables, once in the life of the database, and checks the statements on them, unless both are done. Blocks. */
  @Override
  public final void init() {
    if (!initialized) {
      database.initialize(name(), initialization);
      initialized = true;
    }
    if (!checked) {
      check();
    }
  }

  /** Loads the object. Blocks. */
  @Override
  public final void recover() {
    try {
      loadNow();
    } catch (RuntimeException e) {
      // The tables may be others than before.
      initialized = false;
      checked = false;
      throw e;
    }
  }

  @Override
  final T load() {
    T fresh = empty();
    if (isOpen()) {
      // The container executes the operation again if the database ends this transaction. It also needs no second connection.
      load(sql(), fresh);
    } else {
      database.read(queries -> load(queries, fresh));
    }
    return fresh;
  }

  @Override
  final void begun() {
    captured = false;
  }

  /** Called when the update of an operation is captured, where no stamps are. */
  final void captured() {
    captured |= takeCompleted();
  }

  /** Called when the last operation may have been undone, where no stamps are: loads the object again if that has changed it. */
  final void undoCaptured() {
    boolean completed = takeCompleted();
    if (captured || completed) {
      captured = false;
      unload();
    }
  }

  @Override
  final void complete() {
    super.complete();
    running = false;
    if (halfway) {
      halfway = false;
      unload();
    }
  }

  @Override
  final void drop() {
    halfway = false;
    running = false;
    super.drop();
  }
}
