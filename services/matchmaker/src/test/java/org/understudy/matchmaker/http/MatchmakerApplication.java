package org.understudy.matchmaker.http;

import java.nio.file.Path;
import org.apache.catalina.Context;
import org.apache.catalina.startup.Tomcat;
import org.understudy.container.deployment.UnderstudyInitializer;
import org.understudy.test.cluster.WebApplication;

/** The matchmaker of this module, with the classes of these tests. */
record MatchmakerApplication() implements WebApplication {
  @Override
  public String path() {
    return "/matchmaker";
  }

  @Override
  public Context addTo(Tomcat tomcat, Path base) {
    Context context = tomcat.addContext(path(), base.toString());
    context.addParameter("understudy.service", TestedMatchmaker.class.getName());
    context.addServletContainerInitializer(new UnderstudyInitializer(), null);
    return context;
  }
}
