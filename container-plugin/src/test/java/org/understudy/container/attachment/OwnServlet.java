package org.understudy.container.attachment;

import jakarta.servlet.Filter;
import jakarta.servlet.ServletConfig;
import jakarta.servlet.ServletRegistration;
import java.nio.file.Path;
import java.util.function.Consumer;
import org.apache.catalina.Context;
import org.apache.catalina.servlets.DefaultServlet;
import org.apache.catalina.startup.Tomcat;
import org.apache.cxf.Bus;
import org.apache.cxf.BusFactory;
import org.apache.cxf.transport.servlet.CXFNonSpringServlet;
import org.apache.tomcat.util.descriptor.web.FilterDef;
import org.apache.tomcat.util.descriptor.web.FilterMap;
import org.understudy.container.deployment.UnderstudyInitializer;
import org.understudy.test.cluster.WebApplication;

/**
 * A web application that publishes endpoints through a CXFNonSpringServlet of its own at /soap.
 *
 * @param publisher publishes them on the servlet's bus
 * @param filter of the application's own, or null
 * @param asynchronous whether that supports asynchronous requests
 */
public record OwnServlet(Consumer<Bus> publisher, Filter filter, boolean asynchronous) implements WebApplication {
  public OwnServlet(Consumer<Bus> publisher) {
    this(publisher, null, true);
  }

  @Override
  public String path() {
    return "/app";
  }

  @Override
  public Context addTo(Tomcat tomcat, Path base) {
    return add(tomcat, base, true);
  }

  /** Adds the application without the plugin, as CXF alone serves it. */
  public Context addAloneTo(Tomcat tomcat, Path base) {
    return add(tomcat, base, false);
  }

  private Context add(Tomcat tomcat, Path base, boolean replicated) {
    Context context = tomcat.addContext(path(), base.toString());
    if (filter != null) {
      FilterDef definition = new FilterDef();
      definition.setFilterName("own");
      definition.setFilter(filter);
      definition.setAsyncSupported(Boolean.toString(asynchronous));
      context.addFilterDef(definition);
      FilterMap map = new FilterMap();
      map.setFilterName("own");
      map.addURLPattern("/soap/*");
      context.addFilterMap(map);
    }
    Tomcat.addServlet(context, "default", new DefaultServlet()).addMapping("/");
    if (replicated) {
      context.addServletContainerInitializer(new UnderstudyInitializer(), null);
    }
    context.addServletContainerInitializer(
        (classes, servlets) -> {
          ServletRegistration.Dynamic soap = servlets.addServlet("soap", new Servlet(publisher));
          soap.setLoadOnStartup(1);
          soap.addMapping("/soap/*");
        },
        null);
    return context;
  }

  /** As in CXF's documentation. */
  private static final class Servlet extends CXFNonSpringServlet {
    private static final long serialVersionUID = 1L;

    private final transient Consumer<Bus> publisher;

    Servlet(Consumer<Bus> publisher) {
      this.publisher = publisher;
    }

    @Override
    public void loadBus(ServletConfig configuration) {
      super.loadBus(configuration);
      BusFactory.setThreadDefaultBus(getBus());
      try {
        publisher.accept(getBus());
      } catch (RuntimeException e) {
        // As with a Spring context: the next request begins anew.
        getBus().shutdown(true);
        setBus(null);
        throw e;
      } finally {
        BusFactory.setThreadDefaultBus(null);
      }
    }
  }
}
