package org.understudy.wsrf.resource;

/**
 * Receives the beginning and the end of every update, by a service, a standard operation or an internal update. Called on the
 * thread of the transaction, which holds its lock. Must neither block nor throw.
 */
public interface UpdateListener {
  /** Called before the update changes anything. */
  void onBegin(ResourceTransaction transaction);

  /** Called when the operation has returned and its changes are about to be captured; may add changes. Not after a failure. */
  void beforeCapture(ResourceTransaction transaction);
}
