package org.understudy.container.deployment;

import jakarta.servlet.ServletContext;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.Properties;
import java.util.Set;
import org.understudy.container.configuration.ApplicationConfiguration;
import org.understudy.container.configuration.ConfigurationException;

/** Finds and loads the configuration of a web application. */
final class ConfigurationFile {
  private static final String NAME = "understudy.config";

  /** Context parameters that are not settings. */
  private static final Set<String> RESERVED = Set.of(NAME, UnderstudyInitializer.SERVICE, UnderstudyInitializer.BROKER);

  private ConfigurationFile() {}

  /**
   * Returns the first of these files: system property {@code understudy.config}, environment variable {@code UNDERSTUDY_CONFIG}, context
   * parameter {@code understudy.config}, {@code conf/understudy.properties} of Tomcat. Null when none is configured and the last does not
   * exist.
   */
  static Path find(ServletContext context) {
    String configured = System.getProperty(NAME);
    configured = configured != null ? configured : System.getenv("UNDERSTUDY_CONFIG");
    configured = configured != null ? configured : context.getInitParameter(NAME);
    if (configured != null) {
      return Path.of(configured);
    }
    Path defaultFile = defaultFile();
    return Files.exists(defaultFile) ? defaultFile : null;
  }

  private static Path defaultFile() {
    String base = System.getProperty("catalina.base");
    return Path.of(base == null ? "." : base, "conf", "understudy.properties").toAbsolutePath().normalize();
  }

  /** Where there is no configuration, and what to do: sentences. */
  static String missing() {
    return "The file " + defaultFile() + " does not exist, and neither the system property " + NAME
        + ", the environment variable UNDERSTUDY_CONFIG nor the context parameter " + NAME
        + " names another. Copy conf/understudy.properties of Understudy there and set its keys, or name your file by one of them.";
  }

  /**
   * Reads the configuration.
   *
   * @param file the file, or null to read only the context parameters
   */
  static ApplicationConfiguration load(Path file, ServletContext context) throws ConfigurationException {
    Properties parameters = parameters(context);
    if (file == null && parameters.isEmpty()) {
      throw new ConfigurationException("The configuration is missing. " + missing());
    }
    return ApplicationConfiguration.load(file, parameters);
  }

  /** Returns the settings among the context parameters of the web application. */
  static Properties parameters(ServletContext context) {
    Properties parameters = new Properties();
    for (String name : Collections.list(context.getInitParameterNames())) {
      if (name.startsWith("understudy.") && !RESERVED.contains(name)) {
        parameters.setProperty(name, context.getInitParameter(name));
      }
    }
    return parameters;
  }
}
