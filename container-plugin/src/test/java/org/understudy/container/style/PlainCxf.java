package org.understudy.container.style;

import jakarta.servlet.ServletConfig;
import java.nio.file.Path;
import java.util.function.Consumer;
import org.apache.catalina.Context;
import org.apache.catalina.LifecycleException;
import org.apache.catalina.connector.Connector;
import org.apache.catalina.startup.Tomcat;
import org.apache.cxf.Bus;
import org.apache.cxf.jaxws.EndpointImpl;
import org.apache.cxf.transport.servlet.CXFNonSpringServlet;
import org.understudy.test.network.FreePorts;

/** A service in a Tomcat as CXF alone serves it. */
public final class PlainCxf implements AutoCloseable {
  private final Tomcat tomcat = new Tomcat();
  private final int port = FreePorts.next();

  public PlainCxf(Path directory, Object service) throws LifecycleException {
    this(directory, bus -> new EndpointImpl(bus, service).publish("/service"));
  }

  /** @param publisher publishes endpoints on the bus of the servlet */
  public PlainCxf(Path directory, Consumer<Bus> publisher) throws LifecycleException {
    tomcat.setBaseDir(directory.toString());
    Connector connector = new Connector();
    connector.setProperty("address", "127.0.0.1");
    connector.setPort(port);
    tomcat.setConnector(connector);
    Context context = tomcat.addContext("/plain", directory.toString());
    Tomcat.addServlet(context, "cxf", new CXFNonSpringServlet() {
      private static final long serialVersionUID = 1L;

      @Override
      protected void loadBus(ServletConfig config) {
        super.loadBus(config);
        publisher.accept(getBus());
      }
    }).addMapping("/*");
    context.findChild("cxf");
    tomcat.start();
  }

  public String url() {
    return url("/service");
  }

  public String url(String address) {
    return "http://127.0.0.1:" + port + "/plain" + address;
  }

  @Override
  public void close() throws LifecycleException {
    tomcat.stop();
    tomcat.destroy();
  }
}
