package org.understudy.lab.attack;

import java.io.IOException;

/** One way to overload or confuse a group from outside, without its secret. */
interface Attack {
  /** The name in the table. */
  String name();

  /**
   * Attacks until the deadline, or until there is nothing more to send. Closes all that it opened.
   *
   * @throws IOException when the attack itself cannot be made, never because it is refused
   */
  void run(Target target, Tally tally, Deadline deadline) throws IOException, InterruptedException;
}
