package org.understudy.durability.mapping;

import java.util.List;
import java.util.stream.Collectors;

/** A mapping is invalid. The message has one line for each problem, in the order of the file. */
public final class MappingException extends Exception {
  private static final long serialVersionUID = 1;

  private final transient List<MappingProblem> problems;

  /** @param problems at least one */
  public MappingException(List<MappingProblem> problems) {
    super(problems.stream().map(MappingProblem::toString).collect(Collectors.joining("\n")));
    this.problems = List.copyOf(problems);
  }

  /** Returns the problems; at least one. */
  public List<MappingProblem> problems() {
    return problems;
  }
}
