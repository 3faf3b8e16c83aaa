package org.understudy.test.process;

/**
 * The result of a program.
 *
 * @param status its exit status
 * @param out the unread part of its output
 * @param err the unread part of its errors; empty when they are in {@code out}
 */
public record Outcome(int status, String out, String err) {
  /** Returns the output of a program that has to succeed and to report nothing. */
  public String success() {
    if (status != 0 || !err.isEmpty()) {
      throw new AssertionError("The program ended with status " + status + ":\n" + out + err);
    }
    return out;
  }
}
