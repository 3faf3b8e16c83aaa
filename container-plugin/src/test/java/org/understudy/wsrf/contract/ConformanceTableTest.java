package org.understudy.wsrf.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** docs/conformance.md names tests that are there, and each of its rows says what it must. */
class ConformanceTableTest {
  private static final Path ROOT = Path.of("").toAbsolutePath().getParent();
  private static final Pattern ROW =
      Pattern.compile("\\| [^|]+ \\| ([A-Z]+\\d+) (?:\\\\\\||[^|])+ \\| (\\w+) \\| ?(.*?) ?\\|");
  private static final Pattern TEST = Pattern.compile("`(\\w+(?:Test|IT))?(?:\\.(\\w+))?`");
  private static final Pattern CLAIM = Pattern.compile("\\| [^|]+ \\| [A-Z]+\\d+ .*");

  private static Map<String, String> tests() throws IOException {
    try (Stream<Path> files = Files.walk(ROOT)) {
      return files
          .filter(file -> file.toString().matches(".*[/\\\\]src[/\\\\]test[/\\\\].*(Test|IT)\\.java"))
          .collect(Collectors.toMap(
              file -> file.getFileName().toString().replace(".java", ""), ConformanceTableTest::read, (a, b) -> a + b));
    }
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  /** What is wrong with a row; empty when nothing is. */
  private static List<String> wrong(String line, Map<String, String> tests) {
    Matcher row = ROW.matcher(line);
    if (!row.matches()) {
      return List.of("No row: " + line);
    }
    List<String> wrong = new ArrayList<>();
    String last = null;
    int named = 0;
    for (Matcher test = TEST.matcher(row.group(3)); test.find(); ) {
      last = test.group(1) == null ? last : test.group(1);
      String code = tests.get(last);
      if (code == null) {
        wrong.add(row.group(1) + ": no class " + last);
      } else if (test.group(2) != null && !code.contains(" void " + test.group(2) + "(")) {
        wrong.add(row.group(1) + ": no test " + last + "." + test.group(2));
      }
      named++;
    }
    switch (row.group(2)) {
      case "yes" -> {
        if (named == 0) {
          wrong.add(row.group(1) + ": yes, and no test");
        }
      }
      case "partly", "no" -> {
        if (row.group(3).isBlank()) {
          wrong.add(row.group(1) + ": no reason");
        }
      }
      default -> wrong.add(row.group(1) + ": " + row.group(2));
    }
    return wrong;
  }

  @Test
  void namedTestsExistAndOtherRowsHaveReasons() throws IOException {
    Map<String, String> tests = tests();
    List<String> rows =
        Files.readAllLines(ROOT.resolve("docs/conformance.md")).stream().filter(CLAIM.asPredicate()).toList();
    assertTrue(rows.size() > 150, rows.size() + " rows");
    assertEquals(List.of(), rows.stream().flatMap(row -> wrong(row, tests).stream()).toList());
  }

  @Test
  void theCountsAtTheTopAreThoseOfTheRows() throws IOException {
    String page = Files.readString(ROOT.resolve("docs/conformance.md"));
    Map<String, Long> counts = page.lines().map(ROW::matcher).filter(Matcher::matches).map(row -> row.group(2))
        .collect(Collectors.groupingBy(Function.identity(), Collectors.counting()));
    for (String state : List.of("yes", "partly", "no")) {
      assertTrue(
          page.contains("\n| " + state + " | " + counts.getOrDefault(state, 0L) + " |"), state + " is not " + counts);
    }
  }

  @Test
  void errorsAreDetected() {
    Map<String, String> tests = Map.of("ThereTest", "  void isThere() {");
    assertEquals(List.of(), wrong("| 1 | X1 a \\| b | yes | `ThereTest.isThere`, `.isThere` |", tests));
    for (String row : List.of(
        "| 1 | X1 a | yes | `ThereTest.isNot` |", "| 1 | X1 a | yes | `GoneTest` |", "| 1 | X1 a | yes | |",
        "| 1 | X1 a | no | |", "| 1 | X1 a | pending | |", "| 1 | X1 a | yes |")) {
      assertEquals(1, wrong(row, tests).size(), row);
    }
  }
}
