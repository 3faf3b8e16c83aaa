package org.understudy.lab.report;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Builds parts of the input of Chart.js. */
public final class Chart {
  private Chart() {}

  /** A line through points of {@code x} and {@code y}. */
  public static Map<String, Object> line(String label, String colour, List<Map<String, Object>> points) {
    return Map.of("label", label, "data", points, "borderColor", colour, "backgroundColor", colour);
  }

  /** An axis of a type of Chart.js. */
  public static Map<String, Object> axis(String title, String type) {
    Map<String, Object> axis = new LinkedHashMap<>();
    axis.put("type", type);
    axis.put("title", Map.of("display", true, "text", title));
    return axis;
  }

  /** The same, of a chart whose bars stand upon each other. */
  public static Map<String, Object> stacked(String title, String type) {
    Map<String, Object> axis = axis(title, type);
    axis.put("stacked", true);
    return axis;
  }

  /** A chart of lines on two logarithmic axes. */
  public static Map<String, Object> logarithmic(String x, String y, List<Map<String, Object>> lines) {
    return Map.of(
        "type", "line",
        "data", Map.of("datasets", lines),
        "options", Map.of(
            "maintainAspectRatio", false,
            "animation", false,
            "scales", Map.of("x", axis(x, "logarithmic"), "y", axis(y, "logarithmic"))));
  }
}
