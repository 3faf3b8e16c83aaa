package org.understudy.container.deployment;

import jakarta.servlet.ServletContext;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.Properties;
import java.util.Set;
import org.understudy.container.configuration.Configuration;
import org.understudy.container.configuration.ConfigurationException;

/** Where the configuration is looked for. */
final class ConfigurationFile {
  private static final String NAME = "understudy.config";

  /** Parameters of a web application that are not settings. */
  private static final Set<String> OTHERS = Set.of(NAME, UnderstudyInitializer.SERVICE, UnderstudyInitializer.BROKER);

  private ConfigurationFile() {}

  /**
   * The system property {@code understudy.config}, the environment variable {@code UNDERSTUDY_CONFIG}, the context
   * parameter {@code understudy.config}, or {@code conf/understudy.properties} of Tomcat, whichever is there first. Null when there
   * is none.
   */
  static Path find(ServletContext context) {
    String named = System.getProperty(NAME);
    named = named != null ? named : System.getenv("UNDERSTUDY_CONFIG");
    named = named != null ? named : context.getInitParameter(NAME);
    if (named != null) {
      return Path.of(named);
    }
    String base = System.getProperty("catalina.base");
    Path usual = Path.of(base == null ? "." : base, "conf", "understudy.properties");
    return Files.exists(usual) ? usual : null;
  }

  /**
   * Reads the configuration.
   *
   * @param file as found, or null: then the context parameters are all there is
   */
  static Configuration load(Path file, ServletContext context) throws ConfigurationException {
    Properties parameters = parameters(context);
    if (file == null && parameters.isEmpty()) {
      throw new ConfigurationException(
          "The configuration is missing: neither the system property " + NAME + " is set, nor does Tomcat's "
              + "conf/understudy.properties exist.");
    }
    return Configuration.load(file, parameters);
  }

  /** The settings among the context parameters of the web application. */
  static Properties parameters(ServletContext context) {
    Properties parameters = new Properties();
    for (String name : Collections.list(context.getInitParameterNames())) {
      if (name.startsWith("understudy.") && !OTHERS.contains(name)) {
        parameters.setProperty(name, context.getInitParameter(name));
      }
    }
    return parameters;
  }
}
