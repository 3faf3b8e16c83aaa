package org.understudy.container;

import java.nio.file.Path;
import org.apache.catalina.Context;
import org.apache.catalina.servlets.DefaultServlet;
import org.apache.catalina.startup.Tomcat;
import org.understudy.container.deployment.UnderstudyInitializer;
import org.understudy.test.cluster.WebApplication;

/**
 * A web application with one service of these tests, or with a broker.
 *
 * @param service null for a broker
 */
record ServiceApplication(Class<?> service) implements WebApplication {
  @Override
  public String path() {
    return "/app";
  }

  @Override
  public Context addTo(Tomcat tomcat, Path base) {
    Context context = tomcat.addContext(path(), base.toString());
    if (service == null) {
      context.addParameter("understudy.broker", "true");
    } else {
      context.addParameter("understudy.service", service.getName());
    }
    // As in conf/web.xml of every Tomcat.
    Tomcat.addServlet(context, "default", new DefaultServlet()).addMapping("/");
    context.addServletContainerInitializer(new UnderstudyInitializer(), null);
    return context;
  }
}
