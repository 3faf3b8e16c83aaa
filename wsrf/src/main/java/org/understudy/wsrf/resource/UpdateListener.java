package org.understudy.wsrf.resource;

/**
 * Stands at both ends of every update, whoever does it: a service, a standard operation, or the primary itself. Called by
 * the thread of the visit, which holds its lock. Must neither block nor throw.
 */
public interface UpdateListener {
  /** Nothing has been changed yet. */
  void began(ResourceTransaction visit);

  /** All changes are made and about to be captured; may add some. Not called when the update comes to nothing before. */
  void ending(ResourceTransaction visit);
}
