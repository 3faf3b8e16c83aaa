package org.understudy.wsrf.resource;

/** Thrown when another operation holds the resource's lock for too long. Nothing was executed. */
public final class OccupiedResourceException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  OccupiedResourceException(String message) {
    super(message, null, false, false);
  }
}
