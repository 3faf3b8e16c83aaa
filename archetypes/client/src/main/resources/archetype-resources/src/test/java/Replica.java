package ${package};

import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.catalina.Context;
import org.apache.catalina.connector.Connector;
import org.apache.catalina.startup.Tomcat;
import org.understudy.container.deployment.UnderstudyInitializer;

/** One replica: a Tomcat with the service of this test. */
final class Replica {
  private Replica() {}

  /** The arguments are the port and the directory of the Tomcat. */
  public static void main(String[] arguments) throws Exception {
    Path base = Files.createDirectories(Path.of(arguments[1]));
    Tomcat tomcat = new Tomcat();
    tomcat.setBaseDir(base.toString());
    Connector connector = new Connector();
    connector.setPort(Integer.parseInt(arguments[0]));
    connector.setProperty("address", "127.0.0.1");
    // Clients and replicas keep their connections open.
    connector.setProperty("maxKeepAliveRequests", "-1");
    tomcat.setConnector(connector);
    Context context = tomcat.addContext("/app", base.toString());
    context.addParameter("understudy.service", InventoryService.class.getName());
    context.addServletContainerInitializer(new UnderstudyInitializer(), null);
    tomcat.start();
    if (!context.getState().isAvailable()) {
      System.exit(1);
    }
    tomcat.getServer().await();
  }
}
