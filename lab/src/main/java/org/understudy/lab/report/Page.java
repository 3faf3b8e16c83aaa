package org.understudy.lab.report;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Properties;

/** One HTML page that needs no network: text, tables, and figures drawn by Chart.js. Not thread-safe. */
public final class Page {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final StringBuilder body = new StringBuilder();
  private final StringBuilder charts = new StringBuilder();
  private final String title;
  private int figures;

  public Page(String title) {
    this.title = title;
  }

  /** Adds text as it stands. */
  public Page html(String html) {
    body.append(html);
    return this;
  }

  /**
   * Adds a plot with its caption, which is plain text.
   *
   * @param chart the configuration of Chart.js
   */
  public Page figure(String caption, Map<String, Object> chart) throws JsonProcessingException {
    String id = "figure" + ++figures;
    body.append("<figure><div><canvas id=\"").append(id).append("\" role=\"img\" aria-label=\"").append(caption)
        .append("\"></canvas></div><figcaption>").append(caption).append("</figcaption></figure>\n");
    charts.append("new Chart(document.getElementById('").append(id).append("'), ")
        .append(JSON.writeValueAsString(chart)).append(");\n");
    return this;
  }

  /** Writes it to a file. */
  public void write(Path file) throws IOException {
    Files.writeString(file, text());
  }

  private String text() throws IOException {
    return """
        <!DOCTYPE html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        """
        + "<title>" + title + "</title>\n"
        + """
        <style>
          body { font: 16px/1.5 system-ui, sans-serif; max-width: 76rem; margin: 2rem auto; padding: 0 1rem; color: #222; }
          h1, h2 { line-height: 1.2; }
          .scroll { overflow-x: auto; }
          table { border-collapse: collapse; margin: .5rem 0 1.5rem; font-variant-numeric: tabular-nums; }
          th, td { padding: .2rem .7rem; text-align: right; border-bottom: 1px solid #ddd; white-space: nowrap; }
          th:first-child, td:first-child { text-align: left; }
          td small { color: #666; display: block; }
          figure { margin: 1rem 0 2rem; }
          figure div { position: relative; height: 24rem; }
          figcaption, .note { color: #555; }
        </style>
        </head>
        <body>
        """
        + body
        + "<script>" + library() + "</script>\n<script>\n" + charts + "</script>\n</body>\n</html>\n";
  }

  /** The library as one script, so that the page needs no network. */
  private static String library() throws IOException {
    ClassLoader loader = Page.class.getClassLoader();
    Properties pom = new Properties();
    try (InputStream in = open(loader, "META-INF/maven/org.webjars.npm/chart.js/pom.properties")) {
      pom.load(in);
    }
    String path = "META-INF/resources/webjars/chart.js/" + pom.getProperty("version") + "/dist/chart.umd.js";
    try (InputStream in = open(loader, path)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8).replaceAll("//# sourceMappingURL=.*", "");
    }
  }

  private static InputStream open(ClassLoader loader, String path) throws IOException {
    InputStream in = loader.getResourceAsStream(path);
    if (in == null) {
      throw new IOException(path + " is not on the class path; build the lab again.");
    }
    return in;
  }
}
