package org.understudy.replication.runtime.handshake;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.core.wire.WireVersions;

/**
 * The configuration that must be equal at every replica of a group. Replicas compare it when they connect: with different
 * lists, two of peer could each find a majority.
 *
 * @param name of the group
 * @param strategy its name: cores of two strategies do not understand each other
 * @param channel the name of the group channel; {@link #LOG} for none. Encoded with the strategy, so that earlier builds refuse it
 * @param wire the wire versions that the replica reads; two replicas need a common one
 * @param urls each replica's web application, as configured
 * @param peers each replica's address for its peers, as configured
 * @param services what the replica serves; null when unknown, and then not compared
 * @param advised settings that should be equal, by key. A difference is logged and refuses nobody, so that they can be changed at one
 *     replica after another. Compared where both replicas announce services
 */
public record GroupDescription(
    String name,
    String strategy,
    String channel,
    WireVersions wire,
    Map<ReplicaId, String> urls,
    Map<ReplicaId, String> peers,
    List<ServedService> services,
    SortedMap<String, String> advised) {
  /** The channel of a group whose replicas order by messages between them. */
  public static final String LOG = "log";

  private static final String BETWEEN = "/";
  private static final int MAX_NAMED = 3;
  private static final int MAX_BYTES = 60_000;

  /** Without a group channel. */
  public GroupDescription(
      String name,
      String strategy,
      WireVersions wire,
      Map<ReplicaId, String> urls,
      Map<ReplicaId, String> peers,
      List<ServedService> services) {
    this(name, strategy, LOG, wire, urls, peers, services, new TreeMap<>());
  }

  /** With the wire versions of this build, and without services and a group channel. */
  public GroupDescription(String name, String strategy, Map<ReplicaId, String> urls, Map<ReplicaId, String> peers) {
    this(name, strategy, WireVersions.CURRENT, urls, peers, null);
  }

  public GroupDescription {
    urls = new TreeMap<>(urls);
    peers = new TreeMap<>(peers);
    services = services == null ? null : List.copyOf(services);
    advised = Collections.unmodifiableSortedMap(new TreeMap<>(advised));
  }

  /** Returns this description with the services of the replica. */
  GroupDescription with(List<ServedService> served) {
    return new GroupDescription(name, strategy, channel, wire, urls, peers, served, advised);
  }

  /** Returns this description with the name of a group channel. */
  public GroupDescription over(String used) {
    return new GroupDescription(name, strategy, used, wire, urls, peers, services, advised);
  }

  /** Returns this description with settings that should be equal. */
  public GroupDescription advising(Map<String, String> settings) {
    return new GroupDescription(name, strategy, channel, wire, urls, peers, services, new TreeMap<>(settings));
  }

  /** Whether replicas can compare these services: whether their paths and settings fit a description. */
  public static boolean canCompare(List<ServedService> services) {
    return ServiceList.fits(services);
  }

  byte[] encode() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(256);
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      out.writeUTF(name);
      out.writeUTF(channel.equals(LOG) ? strategy : strategy + BETWEEN + channel);
      out.writeByte(wire.oldest());
      out.writeByte(wire.newest());
      write(out, urls);
      write(out, peers);
      if (services != null) {
        out.write(ServiceList.encode(services));
        writeAdvised(out);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("The lists of group " + name + " are too long to be compared.", e);
    }
    if (bytes.size() > MAX_BYTES) {
      throw new IllegalStateException(
          "The lists of group " + name + " have " + bytes.size() + " bytes; at most " + MAX_BYTES + " can be compared.");
    }
    return bytes.toByteArray();
  }

  private void writeAdvised(DataOutputStream out) throws IOException {
    if (!advised.isEmpty()) {
      out.writeByte(advised.size());
      for (Map.Entry<String, String> setting : advised.entrySet()) {
        out.writeUTF(setting.getKey());
        out.writeUTF(setting.getValue());
      }
    }
  }

  private static SortedMap<String, String> advised(DataInputStream in) throws IOException {
    SortedMap<String, String> settings = new TreeMap<>();
    for (int left = in.available() == 0 ? 0 : in.readUnsignedByte(); left > 0; left--) {
      settings.put(in.readUTF(), in.readUTF());
    }
    return settings;
  }

  private static void write(DataOutputStream out, Map<ReplicaId, String> addresses) throws IOException {
    out.writeByte(addresses.size());
    for (Map.Entry<ReplicaId, String> entry : addresses.entrySet()) {
      out.writeByte(entry.getKey().number());
      out.writeUTF(entry.getValue());
    }
  }

  /**
   * Reads a description. Builds before the services were added end after the addresses, and builds before the advised settings after
   * the services. What follows is skipped, because a later build may announce more.
   *
   * @throws IOException when the bytes are not from {@link #encode}
   */
  static GroupDescription decode(byte[] bytes, int offset, int length) throws IOException {
    try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes, offset, length))) {
      String name = in.readUTF();
      String[] used = in.readUTF().split(BETWEEN, 2);
      return new GroupDescription(
          name, used[0], used.length == 1 ? LOG : used[1], versions(in), addresses(in), addresses(in),
          in.available() == 0 ? null : ServiceList.decode(in), advised(in));
    } catch (IllegalArgumentException e) {
      throw new IOException("A description of a group holds an invalid replica number or wire version.", e);
    }
  }

  private static WireVersions versions(DataInputStream in) throws IOException {
    return new WireVersions(in.readUnsignedByte(), in.readUnsignedByte());
  }

  private static Map<ReplicaId, String> addresses(DataInputStream in) throws IOException {
    Map<ReplicaId, String> addresses = new TreeMap<>();
    for (int left = in.readUnsignedByte(); left > 0; left--) {
      addresses.put(new ReplicaId(in.readUnsignedByte()), in.readUTF());
    }
    return addresses;
  }

  /** The newest wire version that both that replica and this one read. */
  int wireWith(GroupDescription peerDescription) {
    return Math.min(wire.newest(), peerDescription.wire.newest());
  }

  /** The differences from that replica's description, in one sentence that names keys and replica numbers; null for none. */
  String difference(GroupDescription peerDescription, ReplicaId peer) {
    if (!name.equals(peerDescription.name)) {
      return "It belongs to group \"" + RefusalLog.printable(peerDescription.name) + "\", this replica to group \"" + name
          + "\" (understudy.group).";
    }
    if (!strategy.equals(peerDescription.strategy)) {
      return "It runs the strategy " + RefusalLog.printable(peerDescription.strategy) + ", this replica the strategy " + strategy
          + " (understudy.strategy). Configure every replica of the group alike.";
    }
    if (!channel.equals(peerDescription.channel)) {
      return "It uses the group channel " + RefusalLog.printable(peerDescription.channel) + ", this replica " + channel
          + " (understudy.channel). Configure every replica of the group alike.";
    }
    if (!wire.meets(peerDescription.wire)) {
      return "It reads wire " + peerDescription.wire + ", this replica " + wire
          + ". Install versions of Understudy that follow each other, one after another.";
    }
    List<String> differences = new ArrayList<>();
    compare("understudy.replicas", urls, peerDescription.urls, peer, differences);
    compare("understudy.peers", peers, peerDescription.peers, peer, differences);
    if (differences.isEmpty()) {
      return services == null || peerDescription.services == null
          ? null
          : ServedService.difference(services, peerDescription.services);
    }
    int more = differences.size() - MAX_NAMED;
    String named = String.join("; ", differences.subList(0, Math.min(MAX_NAMED, differences.size())));
    return "The replica lists differ: " + named + (more > 0 ? "; and " + more + " more" : "")
        + ". Configure every replica of the group alike.";
  }

  /** The first advised setting that differs from that replica's, in one sentence; null for none. */
  String advice(GroupDescription peerDescription, ReplicaId peer) {
    for (Map.Entry<String, String> setting : advised.entrySet()) {
      String there = peerDescription.advised.get(setting.getKey());
      if (there != null && !there.equals(setting.getValue())) {
        return "Replica " + peer + " has " + setting.getKey() + "=" + RefusalLog.printable(there) + ", this replica "
            + setting.getValue() + ". Both serve; configure every replica of the group alike.";
      }
    }
    return null;
  }

  private static void compare(
      String key, Map<ReplicaId, String> own, Map<ReplicaId, String> peerDescription, ReplicaId peer, List<String> differences) {
    TreeSet<ReplicaId> all = new TreeSet<>(own.keySet());
    all.addAll(peerDescription.keySet());
    for (ReplicaId replica : all) {
      String here = own.get(replica);
      String there = peerDescription.get(replica);
      if (there == null) {
        differences.add(key + " of replica " + peer + " does not list replica " + replica);
      } else if (here == null) {
        differences.add(key + " of replica " + peer + " lists replica " + replica + ", this one's does not");
      } else if (!Objects.equals(here, there)) {
        differences.add(
            key + " gives replica " + replica + " the address " + here + " here and " + RefusalLog.printable(there)
                + " at replica " + peer);
      }
    }
  }
}
