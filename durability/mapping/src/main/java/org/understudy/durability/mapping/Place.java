package org.understudy.durability.mapping;

/**
 * Where an element begins in a mapping, or where its XML is broken.
 *
 * @param file the name of the mapping
 * @param line from 1
 * @param column from 1
 * @param element its start tag with the attribute that identifies it, for example {@code <update method="insert">}; empty where no
 *     element is known, because the XML is broken
 */
public record Place(String file, int line, int column, String element) {
  @Override
  public String toString() {
    return file + ":" + line + ":" + column + (element.isEmpty() ? "" : ": " + element);
  }
}
