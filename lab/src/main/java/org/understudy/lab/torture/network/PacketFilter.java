package org.understudy.lab.torture.network;

import java.io.IOException;

/** Drops packets between replicas. Each method returns when the rule is in force. Rules of one link replace each other. */
interface PacketFilter {
  /** The program that it uses. */
  String name();

  /** Whether it can drop a share of the packets. */
  boolean canLose();

  /** Makes a replica's namespace ready. */
  void prepare(int replica) throws IOException, InterruptedException;

  /** Drops packets of one direction. */
  void drop(int from, int to, int percent) throws IOException, InterruptedException;

  /** Lets all packets of all links through. */
  void clear(int replica) throws IOException, InterruptedException;

  /** The best that this machine has. Tries it in the namespace of this program: a kernel can lack what a program needs. */
  static PacketFilter ofThisMachine() throws InterruptedException {
    if (Shell.succeeds("nft add table ip probe")
        && Shell.succeeds("nft add chain ip probe in { type filter hook input priority 0 ; }")) {
      return new NftFilter();
    }
    return Shell.succeeds("iptables -L -n") ? new IptablesFilter() : new RouteFilter();
  }
}
