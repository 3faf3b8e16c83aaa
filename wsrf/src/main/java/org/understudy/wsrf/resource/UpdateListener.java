package org.understudy.wsrf.resource;

/**
 * Receives the beginning and the end of every update by a service, a standard operation, or the primary itself. Called by
 * the thread of the transaction, which holds its lock. Must neither block nor throw.
 */
public interface UpdateListener {
  /** Nothing has been changed yet. */
  void began(ResourceTransaction visit);

  /** All changes are made and about to be captured; may add some. Not called when the update comes to nothing before. */
  void ending(ResourceTransaction visit);
}
