package org.understudy.lab.report;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PageTest {
  @TempDir Path directory;

  @Test
  void pageContainsTextFiguresAndLibrary() throws IOException {
    Map<String, Object> chart =
        Chart.logarithmic("clients", "ms", List.of(Chart.line("socket", "#000000", List.of(Map.of("x", 1, "y", 2.5)))));
    Path file = directory.resolve("page.html");
    new Page("A title").html("<h1>Text</h1>").figure("First.", chart).figure("Second.", chart).write(file);
    String page = Files.readString(file);
    assertTrue(page.contains("<title>A title</title>"));
    assertTrue(page.contains("<h1>Text</h1>"));
    for (String id : List.of("figure1", "figure2")) {
      assertTrue(page.contains("<canvas id=\"" + id + "\""), id);
      assertTrue(page.contains("new Chart(document.getElementById('" + id + "'), {"), id);
    }
    assertTrue(page.contains("\"y\":2.5"));
    assertTrue(page.indexOf("Chart.js v") > 0 && page.indexOf("Chart.js v") < page.indexOf("new Chart("));
    assertFalse(page.contains("<script src"), "needs no network");
  }
}
