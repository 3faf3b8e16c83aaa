package org.understudy.lab.torture.network;

import java.util.List;
import java.util.Random;

/**
 * What stands for the machines of the replicas and of the database server: an address for each, and the way in which a program is started
 * there. Either namespaces of a {@link TestNetwork}, or loopback addresses of this machine, between which no link can be cut. Immutable.
 */
public final class Machines {
  private static final int MAX_OCTET = 255;

  private final String net;
  private final boolean namespaces;

  private Machines(String net, boolean namespaces) {
    this.net = net;
    this.namespaces = namespaces;
  }

  /** Namespaces, within an enclosure that has them. */
  public static Machines namespaces() {
    return new Machines(TestNetwork.NET, true);
  }

  /** Loopback addresses at random, so that runs at the same time do not meet. Linux has all addresses of 127.0.0.0/8. */
  public static Machines loopback() {
    Random random = new Random();
    return new Machines("127." + (1 + random.nextInt(MAX_OCTET - 1)) + "." + (1 + random.nextInt(MAX_OCTET - 1)) + ".", false);
  }

  /** The address of a replica, or of the {@link TestNetwork#DATABASE}. */
  public String address(int number) {
    return net + number;
  }

  /** Whether each has a network namespace. */
  public boolean namespaced() {
    return namespaces;
  }

  /** The words before the command of a program, by which it is started there. */
  public List<String> prefix(int number) {
    return namespaces ? List.of("ip", "netns", "exec", TestNetwork.namespace(number)) : List.of();
  }
}
