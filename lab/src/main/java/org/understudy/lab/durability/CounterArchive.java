package org.understudy.lab.durability;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Enumeration;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;
import org.understudy.lab.durability.counter.CounterService;

/** The web archive of the counters: their classes, and the libraries of the Matchmaker's archive, which has the same. */
public final class CounterArchive {
  /** The system property of the replicas that selects the mapping. */
  public static final String MAPPING = "counter.mapping";

  private static final String WEB_XML = """
      <?xml version="1.0" encoding="UTF-8"?>
      <web-app xmlns="https://jakarta.ee/xml/ns/jakartaee" version="6.0" metadata-complete="false">
        <context-param>
          <param-name>understudy.service</param-name>
          <param-value>%s.${%s}.CounterService</param-value>
        </context-param>
      </web-app>
      """.formatted(CounterService.class.getPackageName(), MAPPING);

  private CounterArchive() {}

  /**
   * Writes the archive.
   *
   * @param root the directory of the project, which is built
   * @throws IOException when something of the build is missing, too
   */
  public static void write(Path root, Path archive) throws IOException {
    Path model = root.resolve("services/matchmaker/target/matchmaker.war");
    Path classes = root.resolve("lab/target/classes");
    Path counters = classes.resolve(CounterService.class.getPackageName().replace('.', '/'));
    if (!Files.isRegularFile(model) || !Files.isDirectory(counters)) {
      throw new IOException("The build is incomplete: " + model + " or " + counters + " is missing. Run mvn -DskipTests package.");
    }
    try (ZipOutputStream out = new ZipOutputStream(Files.newOutputStream(archive)); ZipFile in = new ZipFile(model.toFile())) {
      // The libraries are compressed already.
      out.setLevel(0);
      Enumeration<? extends ZipEntry> entries = in.entries();
      while (entries.hasMoreElements()) {
        ZipEntry entry = entries.nextElement();
        if (entry.getName().startsWith("WEB-INF/lib/") || entry.getName().equals("META-INF/context.xml")) {
          try (InputStream content = in.getInputStream(entry)) {
            put(out, entry.getName(), content.readAllBytes());
          }
        }
      }
      put(out, "WEB-INF/web.xml", WEB_XML.getBytes(StandardCharsets.UTF_8));
      for (Path file : files(counters)) {
        put(out, "WEB-INF/classes/" + classes.relativize(file).toString().replace('\\', '/'), Files.readAllBytes(file));
      }
    }
  }

  private static List<Path> files(Path directory) throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      return files.filter(Files::isRegularFile).sorted().toList();
    }
  }

  private static void put(ZipOutputStream out, String name, byte[] content) throws IOException {
    out.putNextEntry(new ZipEntry(name));
    out.write(content);
    out.closeEntry();
  }
}
