package org.understudy.replication.simulation;

import java.util.ArrayList;
import java.util.List;
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
  /** The additional delay of a message of one link. */
  private final Map<Long, Long> slowLinks = new TreeMap<>();
  /** From and to; null when all links are short. */
  private StandingLink[][] links;
  /** Deliveries of messages between replicas that were sent while their link was cut; null when such messages are lost. */
  private List<Runnable> held;
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

  /**
   * From now on links between replicas behave like connections that outlive a cut: what was sent before it arrives although the link is
   * cut, and what is sent during it arrives when the links are healed.
   */
  void outliveCuts() {
    held = new ArrayList<>();
    keepOrder();
  }

  /** Gives each direction between replicas a link of its own, which no healing changes. */
  void stand(StandingLink[][] all) {
    links = all;
    keepOrder();
  }

  boolean outlivesCuts() {
    return held != null;
  }

  private boolean outlivesCuts(int from, int to) {
    return held != null && from < FIRST_CLIENT && to < FIRST_CLIENT;
  }

  private long inOrder(long link, long delay) {
    return ordered ? last.merge(link, world.now() + delay, Math::max) - world.now() : delay;
  }

  void heal() {
    cut.clear();
    slow.clear();
    slowLinks.clear();
    if (held != null) {
      List<Runnable> late = List.copyOf(held);
      held.clear();
      late.forEach(Runnable::run);
    }
  }

  void slow(int end, long nanos) {
    slow.put(end, nanos);
  }

  /** Delays the messages of one direction. */
  void slow(int from, int to, long nanos) {
    slowLinks.put(link(from, to), nanos);
  }

  /** Delivers once, later, or not at all; occasionally twice. */
  public void send(int from, int to, Runnable delivery) {
    send(from, to, 0, delivery);
  }

  /** @param bytes of the message, where a narrow link delays it */
  void send(int from, int to, long bytes, Runnable delivery) {
    int copies = world.chance(duplication) ? 2 : 1;
    for (int i = 0; i < copies; i++) {
      boolean faulty = world.chance(loss);
      long usual = world.chance(0.05) ? world.between(0, 5 * slowest) : world.between(50_000, slowest);
      long standing = standing(from, to, bytes);
      boolean lost = faulty || standing < 0;
      long delay = usual + standing;
      if (!lost && outlivesCuts(from, to) && isCut(from, to)) {
        held.add(() -> world.after(inOrder(link(from, to), delay), delivery));
      } else if (!lost) {
        world.after(inOrder(link(from, to), delay + added(from, to)), () -> {
          if (outlivesCuts(from, to) || !isCut(from, to)) {
            delivery.run();
          }
        });
      }
    }
  }

  /** The delay of the link itself; negative when its queue is full. */
  private long standing(int from, int to, long bytes) {
    boolean stands = links != null && from < FIRST_CLIENT && to < FIRST_CLIENT;
    return stands ? links[from][to].send(bytes) : 0;
  }

  private long added(int from, int to) {
    return slow.getOrDefault(from, 0L) + slow.getOrDefault(to, 0L) + slowLinks.getOrDefault(link(from, to), 0L);
  }
}
