package org.understudy.cdi;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.understudy.test.cluster.WebArchive;

/** Makes an unpacked web application of classes of these tests. */
final class BeanApplication {
  private static final String LISTENER = "org.apache.webbeans.servlet.WebBeansConfigurationListener";

  private static final Pattern LIBRARIES =
      Pattern.compile(
          "(weld|openwebbeans|jakarta\\.(enterprise|inject|interceptor)|jboss-(logging|classfilewriter)|xbean).*\\.jar");

  private BeanApplication() {}

  /** Whether the class path holds OpenWebBeans, otherwise Weld. */
  static boolean isOpenWebBeans() {
    try {
      Class.forName(LISTENER, false, BeanApplication.class.getClassLoader());
      return true;
    } catch (ClassNotFoundException e) {
      return false;
    }
  }

  /**
   * Makes an application with the container in its libraries, because a container exists once in a class loader.
   *
   * @param services the simple names of the services that it publishes
   */
  static WebArchive make(Path directory, String services) throws IOException {
    unpack(directory, "application");
    // Weld is found by Tomcat; the initializer of OpenWebBeans is not one of Jakarta's.
    describe(
        directory,
        "<context-param><param-name>services</param-name><param-value>" + services + "</param-value></context-param>"
            + (isOpenWebBeans() ? "<listener><listener-class>" + LISTENER + "</listener-class></listener>" : ""));
    return new WebArchive("/app", directory);
  }

  /** Makes an application whose servlet uses a long conversation. */
  static WebArchive makeConversation(Path directory) throws IOException {
    unpack(directory, "conversation");
    describe(
        directory,
        "<distributable/><servlet><servlet-name>wizard</servlet-name><servlet-class>org.understudy.cdi.conversation.WizardServlet"
            + "</servlet-class><async-supported>true</async-supported></servlet>"
            + "<servlet-mapping><servlet-name>wizard</servlet-name><url-pattern>/wizard</url-pattern>"
            + "</servlet-mapping><error-page><error-code>418</error-code><location>/wizard</location></error-page>");
    return new WebArchive("/app", directory);
  }

  private static void describe(Path directory, String content) throws IOException {
    Files.writeString(directory.resolve("WEB-INF/beans.xml"),
        "<beans xmlns=\"https://jakarta.ee/xml/ns/jakartaee\" version=\"4.0\" bean-discovery-mode=\"all\"/>");
    Files.writeString(directory.resolve("WEB-INF/web.xml"),
        "<web-app xmlns=\"https://jakarta.ee/xml/ns/jakartaee\" version=\"6.0\">" + content + "</web-app>");
  }

  private static void unpack(Path directory, String folder) throws IOException {
    String name = BeanApplication.class.getPackageName().replace('.', '/') + "/" + folder;
    Path classes = Path.of("target", "test-classes", name);
    Path into = Files.createDirectories(directory.resolve("WEB-INF/classes").resolve(name));
    try (Stream<Path> files = Files.list(classes)) {
      for (Path file : files.toList()) {
        Files.copy(file, into.resolve(file.getFileName()));
      }
    }
    Path libraries = Files.createDirectories(directory.resolve("WEB-INF/lib"));
    for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
      Path jar = Path.of(entry);
      if (LIBRARIES.matcher(jar.getFileName().toString()).matches()) {
        Files.copy(jar, libraries.resolve(jar.getFileName()));
      }
    }
  }
}
