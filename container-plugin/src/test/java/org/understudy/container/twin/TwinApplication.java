package org.understudy.container.twin;

import java.nio.file.Path;
import java.util.List;
import org.apache.catalina.LifecycleException;
import org.apache.catalina.connector.Connector;
import org.apache.catalina.startup.Tomcat;
import org.apache.cxf.Bus;
import org.apache.cxf.jaxws.EndpointImpl;
import org.understudy.container.attachment.FaultTolerantFeature;
import org.understudy.container.attachment.OwnServlet;
import org.understudy.test.network.FreePorts;

/** The services of the table in a web application of their own, with the plugin or on CXF alone. */
final class TwinApplication {
  static final List<Class<? extends Witness>> SERVICES =
      List.of(
          TwinServices.Texts.class, TwinServices.Texts12.class, TwinServices.Addressed.class, TwinServices.Validated.class,
          TwinServices.Handled.class, TwinServices.Attached.class,
          TwinServices.Bare.class, TwinServices.Rpc.class, TwinServices.Headed.class, TwinServices.Optimized.class,
          TwinProviders.Payload.class, TwinProviders.Whole.class, TwinProviders.Saaj.class, TwinProviders.Saaj12.class);

  private TwinApplication() {}

  /** Replicated: each service before CXF, and once more behind its interceptors. */
  static OwnServlet replicated() {
    return new OwnServlet(bus -> publish(bus, true));
  }

  private static void publish(Bus bus, boolean replicated) {
    for (Class<? extends Witness> service : SERVICES) {
      for (boolean behind : new boolean[] {false, true}) {
        try {
          EndpointImpl endpoint = new EndpointImpl(bus, service.getConstructor().newInstance());
          if (replicated) {
            endpoint.getFeatures().add(new FaultTolerantFeature());
          }
          if (behind) {
            endpoint.getInInterceptors().add(new WitnessInterceptor());
            endpoint.getOutInterceptors().add(new WitnessInterceptor());
            endpoint.getOutFaultInterceptors().add(new WitnessInterceptor());
          }
          endpoint.publish("/" + service.getSimpleName() + (behind ? "Behind" : ""));
        } catch (ReflectiveOperationException e) {
          throw new IllegalStateException(e);
        }
      }
    }
  }

  /** A Tomcat without the plugin. */
  static final class Alone implements AutoCloseable {
    private final Tomcat tomcat = new Tomcat();
    private final int port = FreePorts.next();

    Alone(Path directory) throws LifecycleException {
      tomcat.setBaseDir(directory.toString());
      Connector connector = new Connector();
      connector.setProperty("address", "127.0.0.1");
      connector.setPort(port);
      tomcat.setConnector(connector);
      new OwnServlet(bus -> publish(bus, false)).addAloneTo(tomcat, directory);
      tomcat.start();
    }

    int port() {
      return port;
    }

    @Override
    public void close() throws LifecycleException {
      tomcat.stop();
      tomcat.destroy();
    }
  }
}
