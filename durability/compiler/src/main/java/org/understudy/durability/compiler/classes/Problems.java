package org.understudy.durability.compiler.classes;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.understudy.durability.mapping.MappingException;
import org.understudy.durability.mapping.MappingProblem;
import org.understudy.durability.mapping.Place;

/** Collects what is wrong, so that one run reports all of it. */
public final class Problems {
  private final List<MappingProblem> found = new ArrayList<>();

  /** Adds a problem. */
  public void add(Place place, String text) {
    MappingProblem problem = new MappingProblem(place, text);
    if (!found.contains(problem)) {
      found.add(problem);
    }
  }

  /** @throws MappingException when a problem was added, with all in the order of the file */
  public void check() throws MappingException {
    if (!found.isEmpty()) {
      throw new MappingException(found.stream()
          .sorted(Comparator.comparingInt((MappingProblem each) -> each.place().line()).thenComparingInt(each -> each.place().column()))
          .toList());
    }
  }
}
