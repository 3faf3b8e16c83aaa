package org.understudy.lab.attack;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import org.understudy.thread.DaemonThreads;

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

  /**
   * Runs attackers beside each other, and waits for all.
   *
   * @param attackers returns what the attacker with a number does, from 0
   */
  static void together(int count, IntFunction<Runnable> attackers) throws InterruptedException {
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      Thread thread = DaemonThreads.daemon("attack-" + i, attackers.apply(i));
      thread.start();
      threads.add(thread);
    }
    for (Thread thread : threads) {
      thread.join();
    }
  }
}
