package org.understudy.container.configuration;

/** Reports an invalid setting. The message is one line for the operator. */
public final class ConfigurationException extends Exception {
  private static final long serialVersionUID = 1L;

  public ConfigurationException(String message) {
    super(message);
  }
}
