package org.understudy.wsat.store;

import java.nio.file.Path;

/** A step of a write or of a removal in the store. Tests halt the process there; nothing happens there otherwise. */
enum StoreFailpoint {
  /** Nothing is written. */
  WRITE_BEFORE,
  /** The record is in a file of which no restart reads anything. The file is not forced to the disk. */
  WRITE_UNFORCED,
  /** That file is forced, and the record is not in its place. */
  WRITE_UNPLACED,
  /** The record is in its place. Its directory is not forced, so a loss of power could undo that. */
  WRITE_PLACED,
  /** The record is durable; its writer does not know it. */
  WRITE_AFTER,
  /** The record is in its place. */
  REMOVE_BEFORE,
  /** The record is removed. Nothing is forced, so a loss of power could undo that. */
  REMOVE_AFTER;

  /** Called at each failpoint of every store in the process, by the thread that reaches it. May block. */
  @FunctionalInterface
  interface Listener {
    /** Does nothing. */
    Listener NONE = (point, type, file) -> {};

    /**
     * @param type what kind of record it is
     * @param file the record's place, or the file that becomes it
     */
    void reached(StoreFailpoint point, String type, Path file);
  }

  private static volatile Listener listener = Listener.NONE;

  /** Replaces the listener, for tests. */
  static void listen(Listener one) {
    listener = one;
  }

  void reached(String type, Path file) {
    listener.reached(this, type, file);
  }
}
