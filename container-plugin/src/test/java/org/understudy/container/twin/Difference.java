package org.understudy.container.twin;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * One thing that differs.
 *
 * @param place where the message is replicated: attached, behind, published
 * @param position of the replica that got it: primary, backup, repeated, failover
 * @param aspect what differs
 * @param alone null for nothing
 * @param replicated null for nothing
 */
record Difference(TwinMessage message, String place, String position, String aspect, String alone, String replicated) {
  private static final int SHOWN = 160;

  static List<Difference> between(TwinMessage message, String place, String position, Observation alone, Observation replicated) {
    List<Difference> all = new ArrayList<>();
    Map<String, String> one = alone.aspects();
    Map<String, String> other = replicated.aspects();
    TreeSet<String> names = new TreeSet<>(one.keySet());
    names.addAll(other.keySet());
    for (String name : names) {
      // What was not reached has seen nothing; the number says it.
      String times = name.replaceFirst("\\..*", ".times");
      boolean consequence = !name.equals(times) && !Objects.equals(one.get(times), other.get(times));
      if (!consequence && !Objects.equals(one.get(name), other.get(name))) {
        all.add(new Difference(message, place, position, name, one.get(name), other.get(name)));
      }
    }
    return all;
  }

  /** Lines for a report: what differs in the same way is in one of them. */
  static List<String> lines(List<Difference> all) {
    Map<List<String>, List<Difference>> alike = new LinkedHashMap<>();
    for (Difference one : all) {
      List<String> shown = List.of(one.message.name(), one.shown(one.alone), one.shown(one.replicated));
      alike.computeIfAbsent(shown, key -> new ArrayList<>()).add(one);
    }
    return alike.entrySet().stream()
        .map(entry -> "'" + entry.getKey().get(0) + "' to " + entry.getValue().get(0).message.service() + ", "
            + several(entry.getValue(), Difference::place) + ", " + several(entry.getValue(), Difference::position) + ": "
            + several(entry.getValue(), Difference::aspect) + " alone " + entry.getKey().get(1) + ", replicated " + entry.getKey().get(2))
        .toList();
  }

  private static String several(List<Difference> all, Function<Difference, String> part) {
    return all.stream().map(part).distinct().collect(Collectors.joining("+"));
  }

  private String shown(String value) {
    if (value == null) {
      return "nothing";
    }
    int same = 0;
    if (alone != null && replicated != null) {
      while (same < alone.length() && same < replicated.length() && alone.charAt(same) == replicated.charAt(same)) {
        same++;
      }
    }
    int from = Math.max(0, same - 40);
    String rest = value.substring(Math.min(from, value.length()));
    String cut = rest.length() > SHOWN ? rest.substring(0, SHOWN) + "…" : rest;
    return (from > 0 ? "…" : "") + "'" + cut.replaceAll("\\s*\n\\s*", "⏎") + "'";
  }
}
