package org.understudy.lab.torture.check;

/**
 * A promise that a history breaks.
 *
 * @param promise its short name
 * @param what happened, with the operations that show it
 */
public record Violation(String promise, String what) {
  @Override
  public String toString() {
    return promise + ": " + what;
  }
}
