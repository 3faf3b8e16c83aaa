package org.understudy.counter.certification;

import jakarta.jws.WebMethod;
import jakarta.jws.WebParam;
import jakarta.jws.WebService;
import jakarta.servlet.ServletConfig;
import jakarta.servlet.ServletRegistration;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import org.apache.catalina.Context;
import org.apache.catalina.servlets.DefaultServlet;
import org.apache.catalina.startup.Tomcat;
import org.apache.cxf.jaxws.EndpointImpl;
import org.apache.cxf.transport.servlet.CXFNonSpringServlet;
import org.understudy.container.attachment.FaultTolerantFeature;
import org.understudy.container.deployment.UnderstudyInitializer;
import org.understudy.replication.api.StateCapture;
import org.understudy.test.cluster.WebApplication;

/**
 * A total that the application publishes by its own servlet of CXF, at {@code /services/total}.
 *
 * @param name of the service, which its endpoint gets
 */
record AttachedTotal(String name) implements WebApplication {
  static final String NAMESPACE = "http://services.measurements.department.example/stations";

  /** The service. */
  @WebService(targetNamespace = NAMESPACE)
  public static final class Total implements StateCapture {
    private int value;

    /** Returns the sum of all calls. */
    public int add(@WebParam(name = "value", targetNamespace = NAMESPACE) int amount) {
      value += amount;
      return value;
    }

    @Override
    @WebMethod(exclude = true)
    public byte[] captureState() {
      return ByteBuffer.allocate(Integer.BYTES).putInt(value).array();
    }

    @Override
    @WebMethod(exclude = true)
    public void restoreState(byte[] state) {
      value = ByteBuffer.wrap(state).getInt();
    }
  }

  @Override
  public String path() {
    return "/counter";
  }

  @Override
  public Context addTo(Tomcat tomcat, Path base) {
    Context context = tomcat.addContext(path(), base.toString());
    Tomcat.addServlet(context, "default", new DefaultServlet()).addMapping("/");
    context.addServletContainerInitializer(new UnderstudyInitializer(), null);
    context.addServletContainerInitializer(
        (classes, servlets) -> {
          ServletRegistration.Dynamic soap = servlets.addServlet("soap", new Servlet(name));
          soap.setLoadOnStartup(1);
          soap.addMapping("/services/*");
        },
        null);
    return context;
  }

  private static final class Servlet extends CXFNonSpringServlet {
    private static final long serialVersionUID = 1L;

    private final String name;

    Servlet(String name) {
      this.name = name;
    }

    @Override
    public void loadBus(ServletConfig configuration) {
      super.loadBus(configuration);
      EndpointImpl endpoint = new EndpointImpl(getBus(), new Total());
      endpoint.getFeatures().add(new FaultTolerantFeature(name));
      endpoint.publish("/total");
    }
  }
}
