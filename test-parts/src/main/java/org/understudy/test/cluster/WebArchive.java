package org.understudy.test.cluster;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.catalina.Context;
import org.apache.catalina.LifecycleException;
import org.apache.catalina.core.StandardContext;
import org.apache.catalina.startup.ContextConfig;
import org.apache.catalina.startup.Tomcat;

/** A web archive as it is dropped into a Tomcat. */
public record WebArchive(String path, Path file) implements WebApplication {
  @Override
  public Context addTo(Tomcat tomcat, Path base) {
    try {
      Files.createDirectories(base.resolve("webapps"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    StandardContext context = new StandardContext();
    context.setPath(path);
    context.setDocBase(file.toAbsolutePath().toString());
    context.addLifecycleListener(new ContextConfig());
    tomcat.getHost().addChild(context);
    return context;
  }

  /**
   * Names of the live threads that belong to an application, but for the Tomcat's own, and for one of Ehcache, whose first user in a
   * process starts it for all (WSS4J remembers time stamps there).
   */
  public static List<String> threads(ClassLoader application) {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getContextClassLoader() == application && thread.isAlive())
        .map(Thread::getName)
        .filter(name -> !name.contains("-exec-") && !name.equals("MappedByteBufferSource Async Flush Thread"))
        .toList();
  }

  /** Stops the application at each replica and closes the cluster; a thread that the application leaves behind fails the test. */
  public static void undeploy(TestCluster cluster, int replicas) throws LifecycleException {
    List<String> left = new ArrayList<>();
    for (int replica = 1; replica <= replicas; replica++) {
      ClassLoader loader = cluster.context(replica).getLoader().getClassLoader();
      cluster.context(replica).stop();
      left.addAll(threads(loader));
    }
    cluster.close();
    if (!left.isEmpty()) {
      throw new AssertionError("The application has left threads: " + left);
    }
  }
}
