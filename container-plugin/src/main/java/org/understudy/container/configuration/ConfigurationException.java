package org.understudy.container.configuration;

/** A setting is wrong; the message is the one line that the operator gets. */
public final class ConfigurationException extends Exception {
  private static final long serialVersionUID = 1L;

  public ConfigurationException(String message) {
    super(message);
  }
}
