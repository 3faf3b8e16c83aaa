package org.understudy.durability.mapping;

/**
 * What is wrong in a mapping.
 *
 * @param place the element
 * @param text one sentence or two: what is wrong and what to write instead
 */
public record MappingProblem(Place place, String text) {
  @Override
  public String toString() {
    return place + ": " + text;
  }
}
