package org.understudy.durability.proxy;

/**
 * What protects one state object of a service (Zhang 2006, section IV.C.2). A proxy also implements the interface of its object: each of
 * its methods is the {@code invoke} of the thesis. Generated classes call the proxies of a service through {@link DurableObjects}.
 *
 * <p>Used by one operation at a time; the container's lock of the resource excludes others. Reads may run concurrently with reads.
 */
public interface DurabilityProxy {
  /** The name of the state object in the durability mapping. */
  String name();

  /** Prepares the mechanism when the service begins, or makes an empty object. May be called again. */
  void init();

  /** Loads or empties the object when this replica takes over from another one. */
  void recover();

  /** Begins the changes of one operation. Does nothing inside a transaction. */
  void startA();

  /** Completes the changes of the operation. Does nothing inside a transaction. */
  void commitA();

  /**
   * Ends the operation without its changes. The container then restores replicated objects; others reload or empty themselves before their
   * next use. Inside a transaction this leaves the transaction with {@link #abortTA} as its only end.
   */
  void abortA();

  /**
   * Begins a transaction, which may include several operations.
   *
   * @param transaction identifies it
   * @throws LockedObjectException when the object is in another transaction
   */
  void startTA(String transaction);

  /**
   * Completes all changes since {@link #startTA}.
   *
   * @throws IllegalStateException when an operation of the transaction was undone, or there is no transaction
   */
  void commitTA();

  /** Undoes all changes since {@link #startTA}. Does nothing without a transaction. */
  void abortTA();
}
