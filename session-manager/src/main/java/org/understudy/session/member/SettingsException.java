package org.understudy.session.member;

/** A setting of the Manager element is missing or invalid. The message names the attribute and what it must be. */
public final class SettingsException extends Exception {
  private static final long serialVersionUID = 1L;

  SettingsException(String message) {
    super(message);
  }

  SettingsException(String message, Throwable cause) {
    super(message, cause);
  }
}
