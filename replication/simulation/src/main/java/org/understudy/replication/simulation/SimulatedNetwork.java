package org.understudy.replication.simulation;

import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** Links that lose, delay, reorder and duplicate. Ends are numbers: replicas from 1, clients from 1001. */
public final class SimulatedNetwork {
  /** The number of the first client. */
  public static final int FIRST_CLIENT = 1_001;

  private final World world;
  private final Set<Long> cut = new TreeSet<>();
  /** The additional delay of a message to or from a slow end. */
  private final Map<Integer, Long> slow = new TreeMap<>();
  private boolean ordered;
  /** By link: when the last message arrives. */
  private final Map<Long, Long> last = new TreeMap<>();
  private double loss;
  private double duplication;
  private long slowest = 2_000_000;

  SimulatedNetwork(World world) {
    this.world = world;
  }

  void quality(double loss, double duplication, long slowestNanos) {
    this.loss = loss;
    this.duplication = duplication;
    this.slowest = slowestNanos;
  }

  /** Whether the link from one end to the other is cut. */
  public boolean isCut(int from, int to) {
    return cut.contains(link(from, to));
  }

  private static long link(int from, int to) {
    return from * 10_000L + to;
  }

  /** Cuts one direction. */
  void cut(int from, int to) {
    cut.add(link(from, to));
  }

  /** Delivers the messages of each link in the order in which they are sent, from now on. */
  void keepOrder() {
    ordered = true;
  }

  private long inOrder(long link, long delay) {
    return ordered ? last.merge(link, world.now() + delay, Math::max) - world.now() : delay;
  }

  void heal() {
    cut.clear();
    slow.clear();
  }

  void slow(int end, long nanos) {
    slow.put(end, nanos);
  }

  /** Delivers once, later, or not at all; occasionally twice. */
  public void send(int from, int to, Runnable delivery) {
    int copies = world.chance(duplication) ? 2 : 1;
    for (int i = 0; i < copies; i++) {
      boolean lost = world.chance(loss);
      long delay = world.chance(0.05) ? world.between(0, 5 * slowest) : world.between(50_000, slowest);
      if (!lost) {
        world.after(inOrder(link(from, to), delay + slow.getOrDefault(from, 0L) + slow.getOrDefault(to, 0L)), () -> {
          if (!cut.contains(link(from, to))) {
            delivery.run();
          }
        });
      }
    }
  }
}
