package org.understudy.spring;

import java.nio.file.Path;
import org.apache.catalina.Context;
import org.apache.catalina.startup.Tomcat;
import org.apache.cxf.transport.servlet.CXFServlet;
import org.springframework.web.context.ContextLoaderListener;
import org.springframework.web.context.request.RequestContextListener;
import org.understudy.container.deployment.UnderstudyInitializer;
import org.understudy.test.cluster.WebApplication;

/**
 * A web application with Spring's listeners and a servlet of CXF at /soap.
 *
 * @param contextClass of Spring's application context, or null
 * @param location of its configuration
 */
record SpringApplication(String contextClass, String location) implements WebApplication {
  @Override
  public String path() {
    return "/app";
  }

  @Override
  public Context addTo(Tomcat tomcat, Path base) {
    Context context = tomcat.addContext(path(), base.toString());
    if (contextClass != null) {
      context.addParameter("contextClass", contextClass);
    }
    context.addParameter("contextConfigLocation", location);
    context.addApplicationListener(ContextLoaderListener.class.getName());
    context.addApplicationListener(RequestContextListener.class.getName());
    Tomcat.addServlet(context, "cxf", CXFServlet.class.getName()).setLoadOnStartup(1);
    context.addServletContainerInitializer(
        (classes, servlets) -> servlets.getServletRegistration("cxf").addMapping("/soap/*"), null);
    context.addServletContainerInitializer(new UnderstudyInitializer(), null);
    return context;
  }
}
