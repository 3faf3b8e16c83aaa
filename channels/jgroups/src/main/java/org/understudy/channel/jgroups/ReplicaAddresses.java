package org.understudy.channel.jgroups;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.understudy.replication.runtime.handshake.PeerAddresses;

/**
 * Where JGroups of the replicas listens, by the names that are configured. A name can have several addresses, those of several replicas for
 * example, and others later: each method asks DNS again, and blocks for as long as that takes.
 */
final class ReplicaAddresses {
  /** Finds the addresses of a name. */
  @FunctionalInterface
  interface Names {
    List<InetSocketAddress> resolve(InetSocketAddress configured) throws UnknownHostException;
  }

  private final JGroupsSettings settings;
  private final Names names;
  private final Predicate<InetAddress> isOfThisMachine;

  ReplicaAddresses(JGroupsSettings settings) {
    this(settings, PeerAddresses::of, ReplicaAddresses::isOfThisMachine);
  }

  ReplicaAddresses(JGroupsSettings settings, Names names, Predicate<InetAddress> isOfThisMachine) {
    this.settings = settings;
    this.names = names;
    this.isOfThisMachine = isOfThisMachine;
  }

  private static boolean isOfThisMachine(InetAddress address) {
    try {
      return NetworkInterface.getByInetAddress(address) != null;
    } catch (SocketException e) {
      return false;
    }
  }

  /** The address at which this replica listens: of those that its name has, the first of this machine. */
  InetSocketAddress own() throws UnknownHostException {
    List<InetSocketAddress> all = names.resolve(settings.addresses().get(settings.self()));
    return all.stream().filter(one -> isOfThisMachine.test(one.getAddress())).findFirst().orElse(all.get(0));
  }

  /** All addresses that the names have now; without TLS those that only processes of this machine can use. */
  List<InetSocketAddress> reachable() {
    List<InetSocketAddress> reachable = new ArrayList<>();
    resolve(reachable);
    reachable.removeIf(address -> settings.tls() == null && !address.getAddress().isLoopbackAddress());
    return reachable;
  }

  /** The names without an address. */
  List<String> unknown() {
    return resolve(new ArrayList<>());
  }

  /** Whether only processes of this machine can connect, as far as is known. */
  boolean areLoopback() {
    List<InetSocketAddress> known = new ArrayList<>();
    return resolve(known).isEmpty() && known.stream().allMatch(address -> address.getAddress().isLoopbackAddress());
  }

  /** Adds the addresses of all names, each once, and returns the names without one. */
  private List<String> resolve(List<InetSocketAddress> known) {
    List<String> unknown = new ArrayList<>();
    settings.addresses().entrySet().stream().sorted(Map.Entry.comparingByKey()).forEach(configured -> {
      try {
        names.resolve(configured.getValue()).stream().filter(address -> !known.contains(address)).forEach(known::add);
      } catch (UnknownHostException e) {
        unknown.add(configured.getValue().getHostString());
      }
    });
    return unknown;
  }
}
