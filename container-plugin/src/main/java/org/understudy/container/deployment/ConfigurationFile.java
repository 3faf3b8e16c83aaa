package org.understudy.container.deployment;

import jakarta.servlet.ServletContext;
import java.nio.file.Files;
import java.nio.file.Path;
import org.understudy.container.configuration.ConfigurationException;

/** Where the configuration is looked for. */
final class ConfigurationFile {
  private static final String NAME = "understudy.config";

  private ConfigurationFile() {}

  /**
   * The system property {@code understudy.config}, the environment variable {@code UNDERSTUDY_CONFIG}, the context
   * parameter {@code understudy.config}, or {@code conf/understudy.properties} of Tomcat, whichever is there first.
   */
  static Path find(ServletContext context) throws ConfigurationException {
    String named = System.getProperty(NAME);
    named = named != null ? named : System.getenv("UNDERSTUDY_CONFIG");
    named = named != null ? named : context.getInitParameter(NAME);
    if (named != null) {
      return Path.of(named);
    }
    String base = System.getProperty("catalina.base");
    Path usual = Path.of(base == null ? "." : base, "conf", "understudy.properties");
    if (!Files.exists(usual)) {
      throw new ConfigurationException(
          "The configuration is missing: neither the system property " + NAME + " is set nor does the file " + usual + " exist.");
    }
    return usual;
  }
}
