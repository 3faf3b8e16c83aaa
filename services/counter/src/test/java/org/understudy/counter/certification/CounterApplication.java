package org.understudy.counter.certification;

import java.nio.file.Path;
import org.apache.catalina.Context;
import org.apache.catalina.startup.Tomcat;
import org.understudy.container.deployment.UnderstudyInitializer;
import org.understudy.counter.service.CounterService;
import org.understudy.test.cluster.WebApplication;

/** The counter of this module, with the classes of this test. */
record CounterApplication() implements WebApplication {
  @Override
  public String path() {
    return "/counter";
  }

  @Override
  public Context addTo(Tomcat tomcat, Path base) {
    Context context = tomcat.addContext(path(), base.toString());
    context.addParameter("understudy.service", CounterService.class.getName());
    context.addServletContainerInitializer(new UnderstudyInitializer(), null);
    return context;
  }
}
