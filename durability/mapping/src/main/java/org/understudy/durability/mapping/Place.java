package org.understudy.durability.mapping;

/**
 * Where an element begins in a mapping.
 *
 * @param file the name of the mapping
 * @param line from 1
 * @param column from 1
 * @param element its start tag with the attribute that identifies it, for example {@code <update method="insert">}
 */
public record Place(String file, int line, int column, String element) {
  @Override
  public String toString() {
    return file + ":" + line + ":" + column + ": " + element;
  }
}
