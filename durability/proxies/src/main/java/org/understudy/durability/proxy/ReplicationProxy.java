package org.understudy.durability.proxy;

import java.util.ArrayList;
import java.util.List;
import org.understudy.replication.api.StateCapture;
import org.understudy.state.StateModel;
import org.understudy.state.StateRules;
import org.understudy.state.ValueModel;

/**
 * A state object that other replicas hold too (thesis: replication proxy). An update method either {@link #repeat repeats}: its arguments
 * travel, and other replicas execute it again; or it {@link #capture captures}: the whole object travels.
 *
 * <p>A generated proxy passes reads on. In an update method it calls {@code repeat} or {@code capture} first, then the object's method,
 * whatever that throws. Arguments are encoded before the call, so a method may change them.
 *
 * @param <T> the interface of the state object
 */
public abstract non-sealed class ReplicationProxy<T> extends StateObjectProxy<T> {
  /** More calls in one action travel as the whole state. */
  private static final int MAX_CALLS = 1_000;

  private final T object;
  private final StateCapture form;
  private final String description;
  /** Null when no method is repeated. */
  private final ValueModel model;
  /** Null when the object cannot be compared. */
  private final Replay<T> replay;
  /** Encoded calls of the open action or transaction. */
  private final List<byte[]> calls = new ArrayList<>();
  private boolean whole;
  /** Encoded calls that are completed and not yet taken. */
  private final List<byte[]> completed = new ArrayList<>();
  private boolean completedWhole;
  /** The state before the open transaction; null: none. */
  private byte[] checkpoint;

  /**
   * @param name of the object in the mapping
   * @param object what the proxy protects
   * @param form captures and restores the whole object: {@link #fieldsOf}, or code of the mapping
   * @param calls the records of the repeated methods
   * @throws org.understudy.state.StateException when arguments cannot be encoded, with the path to the type
   */
  protected ReplicationProxy(String name, T object, StateCapture form, List<Class<? extends Call<T>>> calls) {
    super(name);
    this.object = object;
    this.form = form;
    this.model =
        calls.isEmpty() ? null : ValueModel.of("A call of the state object " + name, List.copyOf(calls), StateRules.DEFAULTS);
    this.replay = Replay.of(name, object, form, model);
    this.description = object.getClass().getName() + " " + shape(form) + " " + (model == null ? "" : model.fingerprint());
  }

  /**
   * Captures an object by its own {@link StateCapture}, or by its fields: those marked {@link
   * org.understudy.replication.api.ReplicatedState}, without marks all that are neither static nor transient.
   *
   * @throws org.understudy.state.StateException when a field cannot be captured, with the path to its type
   */
  protected static StateCapture fieldsOf(Object object) {
    return object instanceof StateCapture own ? own : new FieldState(StateModel.ofPlain(object.getClass(), StateRules.DEFAULTS), object);
  }

  private static String shape(StateCapture form) {
    return form instanceof FieldState fields ? fields.fingerprint() : "";
  }

  /** The state object. */
  protected final T object() {
    return object;
  }

  /**
   * Called before a method that other replicas execute again.
   *
   * @throws IllegalStateException outside an action
   * @throws org.understudy.state.StateException when an argument cannot be encoded; the method must then not be called
   */
  protected final void repeat(Call<T> call) {
    requireAction();
    if (whole) {
      return;
    }
    if (calls.size() == MAX_CALLS) {
      capture();
    } else {
      calls.add(model.encode(call));
    }
  }

  /**
   * Called before a method after which the whole object travels.
   *
   * @throws IllegalStateException outside an action
   */
  protected final void capture() {
    requireAction();
    whole = true;
    calls.clear();
  }

  /** Does nothing: the container brings the state of other replicas. */
  @Override
  public void init() {}

  /** Does nothing: the container has brought the state of other replicas. */
  @Override
  public void recover() {}

  @Override
  final void complete() {
    checkpoint = null;
    completedWhole |= whole;
    completed.addAll(calls);
    whole = false;
    calls.clear();
  }

  @Override
  final void drop() {
    checkpoint = null;
    whole = false;
    calls.clear();
  }

  @Override
  final void keep() {
    checkpoint = form.captureState();
  }

  @Override
  final void undo() {
    if (whole || !calls.isEmpty()) {
      form.restoreState(checkpoint);
    }
    drop();
  }

  @Override
  final void takeUpdate(int number, UpdateWriter update) {
    if (completedWhole) {
      update.add(number, UpdateWriter.Kind.STATE, form.captureState());
    } else {
      completed.forEach(call -> update.add(number, UpdateWriter.Kind.CALL, call));
    }
    forget();
  }

  private void forget() {
    completedWhole = false;
    completed.clear();
  }

  @Override
  final void applyUpdate(UpdateWriter.Kind kind, byte[] part) {
    switch (kind) {
      case STATE -> form.restoreState(part);
      case CALL -> execute(part);
      default -> throw UpdateWriter.Reader.damaged();
    }
  }

  private void execute(byte[] encoded) {
    if (model == null) {
      throw UpdateWriter.Reader.damaged();
    }
    @SuppressWarnings("unchecked") // The model knows the records of this proxy only.
    Call<T> call = (Call<T>) model.decode(encoded);
    Replay.execute(call, object);
  }

  /** Executes calls again in copies; null when that is not possible, or no method is repeated. */
  final Replay<T> replay() {
    return replay;
  }

  @Override
  final byte[] state() {
    forget();
    return checkpoint == null ? form.captureState() : checkpoint;
  }

  @Override
  final void restore(byte[] state) {
    forget();
    form.restoreState(state);
  }

  @Override
  final String description() {
    return description;
  }
}
