package org.understudy.matchmaker.durable;

import java.nio.file.Path;
import org.apache.catalina.Context;
import org.apache.catalina.startup.Tomcat;
import org.understudy.container.deployment.UnderstudyInitializer;
import org.understudy.test.cluster.WebApplication;

/** A matchmaker of a generated class. */
record DurableApplication(Class<?> service) implements WebApplication {
  @Override
  public String path() {
    return "/matchmaker";
  }

  @Override
  public Context addTo(Tomcat tomcat, Path base) {
    Context context = tomcat.addContext(path(), base.toString());
    context.addParameter("understudy.service", service.getName());
    context.addServletContainerInitializer(new UnderstudyInitializer(), null);
    return context;
  }
}
