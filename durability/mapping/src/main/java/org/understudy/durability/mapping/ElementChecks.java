package org.understudy.durability.mapping;

import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;
import javax.lang.model.SourceVersion;
import org.understudy.soap.xml.NameSuggestion;

/** Reads attributes and texts of elements, and collects what is wrong with them. */
final class ElementChecks {
  private final List<MappingProblem> problems;

  ElementChecks(List<MappingProblem> problems) {
    this.problems = problems;
  }

  void problem(XmlElement element, String text) {
    problems.add(new MappingProblem(element.place(), text));
  }

  /** Reports attributes that are missing or unknown. */
  void attributes(XmlElement element, List<String> required, List<String> optional) {
    for (String name : required) {
      if (!element.attributes().containsKey(name)) {
        problem(element, "The attribute " + name + " is missing.");
      }
    }
    List<String> known = Stream.concat(required.stream(), optional.stream()).toList();
    for (String name : element.attributes().keySet()) {
      if (!known.contains(name)) {
        problem(element, "The attribute " + name + " is unknown" + NameSuggestion.of(name, known)
            + (known.isEmpty() ? " The element has none." : " Known are: " + String.join(", ", known) + "."));
      }
    }
  }

  /** Reports children of other names, and text. */
  void children(XmlElement element, List<String> known) {
    for (XmlElement child : element.children()) {
      if (!known.contains(child.name())) {
        problem(child, "The element is unknown in " + element.place().element() + NameSuggestion.of(child.name(), known)
            + (known.isEmpty() ? " No element may stand there." : " Known are: " + String.join(", ", known) + "."));
      }
    }
    if (!known.isEmpty() && !element.text().isBlank()) {
      problem(element, "Text is not allowed here: \"" + shortened(element.text()) + "\".");
    }
  }

  /** Reports children, text and attributes. */
  void empty(XmlElement element) {
    children(element, List.of());
    if (!element.text().isBlank()) {
      problem(element, "Text is not allowed here: \"" + shortened(element.text()) + "\".");
    }
  }

  /** Returns an attribute that is a name of Java; empty and reported when it is none, and empty when it is missing. */
  Optional<String> name(XmlElement element, String attribute, boolean qualified) {
    Optional<String> value = Optional.ofNullable(element.attributes().get(attribute)).map(String::strip);
    if (value.isPresent() && !(qualified ? isClassName(value.get()) : isIdentifier(value.get()))) {
      problem(element, "The attribute " + attribute + " is not a " + (qualified ? "name of a class" : "Java identifier") + ": \""
          + shortened(value.get()) + "\".");
      return Optional.empty();
    }
    return value;
  }

  static boolean isIdentifier(String text) {
    return SourceVersion.isIdentifier(text) && !SourceVersion.isKeyword(text);
  }

  private static boolean isClassName(String text) {
    return SourceVersion.isName(text);
  }

  /** Returns what the reader returns, or null when it reports an error, which becomes a problem. */
  <T> T parsed(XmlElement element, Supplier<T> reader) {
    try {
      return reader.get();
    } catch (IllegalArgumentException e) {
      problem(element, e.getMessage());
      return null;
    }
  }

  static String shortened(String text) {
    String line = text.strip().replaceAll("\\s+", " ");
    return line.length() > 60 ? line.substring(0, 60) + "…" : line;
  }
}
