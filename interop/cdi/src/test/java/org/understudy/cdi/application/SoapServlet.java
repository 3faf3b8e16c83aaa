package org.understudy.cdi.application;

import jakarta.enterprise.inject.spi.CDI;
import jakarta.servlet.ServletConfig;
import jakarta.servlet.annotation.WebServlet;
import jakarta.xml.ws.Endpoint;
import jakarta.xml.ws.WebServiceException;
import org.apache.cxf.BusFactory;
import org.apache.cxf.jaxws.EndpointImpl;
import org.apache.cxf.transport.servlet.CXFNonSpringServlet;

/** Publishes the services that the application names as in CXF's documentation, with beans instead of objects of its own. */
@WebServlet(urlPatterns = "/soap/*", loadOnStartup = 1)
public class SoapServlet extends CXFNonSpringServlet {
  private static final long serialVersionUID = 1L;

  @Override
  public void loadBus(ServletConfig configuration) {
    super.loadBus(configuration);
    BusFactory.setThreadDefaultBus(getBus());
    try {
      for (String name : configuration.getServletContext().getInitParameter("services").split(" ")) {
        Class<?> type =
            Class.forName(
                SoapServlet.class.getPackageName() + "." + name.replace("!", ""), false, SoapServlet.class.getClassLoader());
        Object bean = CDI.current().select(type).get();
        if (name.endsWith("!")) {
          // CXF reads the annotations of this class instead of the bean's.
          EndpointImpl endpoint = new EndpointImpl(getBus(), bean);
          endpoint.setImplementorClass(type);
          endpoint.publish("/" + type.getSimpleName());
        } else {
          Endpoint.publish("/" + name, bean);
        }
      }
    } catch (ClassNotFoundException | WebServiceException e) {
      log("Not all services are published.", e);
    } finally {
      BusFactory.setThreadDefaultBus(null);
    }
  }
}
