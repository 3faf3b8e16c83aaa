package org.understudy.test.cluster;

import java.nio.file.Path;
import org.apache.catalina.Context;
import org.apache.catalina.startup.Tomcat;

/** The web application that each replica of a cluster deploys. */
public interface WebApplication {
  /** The path of its context, like {@code /counter}. */
  String path();

  /**
   * Adds the application to a Tomcat that has not started.
   *
   * @param base the base directory of the Tomcat
   */
  Context addTo(Tomcat tomcat, Path base);
}
