package org.understudy.wsrf.resource;

/** Another operation occupies the resource for longer than an execution may take; nothing was executed. */
public final class OccupiedResourceException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  OccupiedResourceException(String message) {
    super(message, null, false, false);
  }
}
