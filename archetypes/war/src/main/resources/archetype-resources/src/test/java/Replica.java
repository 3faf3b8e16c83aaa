package ${package};

import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.catalina.connector.Connector;
import org.apache.catalina.core.StandardContext;
import org.apache.catalina.startup.ContextConfig;
import org.apache.catalina.startup.Tomcat;

/** One replica: a Tomcat with the web archive that this project builds. */
final class Replica {
  private Replica() {}

  /** The arguments are the port and the directory of the Tomcat. */
  public static void main(String[] arguments) throws Exception {
    Path base = Path.of(arguments[1]);
    Files.createDirectories(base.resolve("webapps"));
    Tomcat tomcat = new Tomcat();
    tomcat.setBaseDir(base.toString());
    Connector connector = new Connector();
    connector.setPort(Integer.parseInt(arguments[0]));
    connector.setProperty("address", "127.0.0.1");
    // Clients and replicas keep their connections open.
    connector.setProperty("maxKeepAliveRequests", "-1");
    tomcat.setConnector(connector);
    StandardContext context = new StandardContext();
    context.setPath("/app");
    context.setDocBase(Path.of("target", "${artifactId}.war").toAbsolutePath().toString());
    context.addLifecycleListener(new ContextConfig());
    tomcat.getHost().addChild(context);
    tomcat.start();
    if (!context.getState().isAvailable()) {
      System.exit(1);
    }
    tomcat.getServer().await();
  }
}
