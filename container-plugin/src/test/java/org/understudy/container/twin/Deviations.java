package org.understudy.container.twin;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The table of docs/services.md that lists in what a replicated service differs from the same on CXF alone, and is intended to. */
final class Deviations {
  private static final Path PAGE = Path.of("../docs/services.md");
  private static final String HEADING = "## Where an answer differs from that of CXF alone";
  private static final Set<String> PLACES = Set.of("attached", "behind", "published");
  private static final Pattern QUOTED = Pattern.compile("`([^`]*)`");

  /**
   * A row.
   *
   * @param messages patterns of their names
   * @param where places and positions; none for all
   * @param aspects patterns
   * @param alone what the value contains; null for any
   * @param replicated what the value contains; null for any
   */
  private record Row(
      String name, List<Pattern> messages, Set<String> where, List<Pattern> aspects, List<String> alone, List<String> replicated) {
    boolean covers(Difference one) {
      return messages.stream().anyMatch(pattern -> pattern.matcher(one.message().name()).matches())
          && aspects.stream().anyMatch(pattern -> pattern.matcher(one.aspect()).matches())
          && isAt(one.place(), true)
          && isAt(one.position(), false)
          && contains(alone, one.alone())
          && contains(replicated, one.replicated());
    }

    private boolean isAt(String name, boolean place) {
      return where.stream().noneMatch(word -> PLACES.contains(word) == place) || where.contains(name);
    }

    private static boolean contains(List<String> pieces, String value) {
      return pieces.isEmpty() || (value == null ? pieces.contains("nothing") : pieces.stream().anyMatch(value::contains));
    }
  }

  private final List<Row> rows = new ArrayList<>();
  private final Set<String> occurred = new LinkedHashSet<>();

  private Deviations(List<String> lines) {
    for (String line : lines) {
      String[] cells = line.split(" *\\| *");
      if (line.startsWith("|") && cells.length > 6 && !cells[1].matches("-+|name")) {
        rows.add(
            new Row(
                cells[1].replace("`", ""), patterns(cells[2]), Set.copyOf(quoted(cells[3])), patterns(cells[4]), quoted(cells[5]),
                quoted(cells[6])));
      }
    }
  }

  /** Reads the table of the page. */
  static Deviations read() throws IOException {
    List<String> page = Files.readAllLines(PAGE);
    int from = page.indexOf(HEADING);
    if (from < 0) {
      throw new IOException("docs/services.md has no line " + HEADING);
    }
    return new Deviations(page.stream().skip(from + 1).takeWhile(line -> !line.startsWith("## ")).toList());
  }

  private static List<Pattern> patterns(String cell) {
    List<String> names = quoted(cell);
    return (names.isEmpty() ? List.of("*") : names).stream()
        .map(name -> Pattern.compile(Arrays.stream(name.split("\\*", -1)).map(Pattern::quote).reduce((a, b) -> a + ".*" + b).orElse("")))
        .toList();
  }

  private static List<String> quoted(String cell) {
    List<String> all = new ArrayList<>();
    for (Matcher quoted = QUOTED.matcher(cell); quoted.find(); ) {
      all.add(quoted.group(1));
    }
    return all;
  }

  /** Whether a row intends a difference; each such row has then occurred. */
  boolean intend(Difference difference) {
    boolean found = false;
    for (Row row : rows) {
      if (row.covers(difference)) {
        occurred.add(row.name());
        found = true;
      }
    }
    return found;
  }

  /** The names of the rows of which no difference has occurred. */
  List<String> unused() {
    return rows.stream().map(Row::name).filter(name -> !occurred.contains(name)).toList();
  }
}
