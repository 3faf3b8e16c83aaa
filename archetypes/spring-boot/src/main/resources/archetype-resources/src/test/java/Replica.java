package ${package};

import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;

/** One replica: the application, with the configuration in the file that the system property understudy.config names. */
final class Replica {
  private Replica() {}

  /** The first argument is the port. */
  public static void main(String[] arguments) throws IOException {
    Properties settings = new Properties();
    try (Reader reader = Files.newBufferedReader(Path.of(System.getProperty("understudy.config")))) {
      settings.load(reader);
    }
    Application.main(
        new String[] {
          "--server.address=127.0.0.1", "--server.port=" + arguments[0], "--server.servlet.context-path=/app",
          "--understudy.replica=" + settings.getProperty("understudy.replica")
        });
  }
}
