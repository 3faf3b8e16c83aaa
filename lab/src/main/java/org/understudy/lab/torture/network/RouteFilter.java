package org.understudy.lab.torture.network;

import java.io.IOException;

/** By routes that lead nowhere, at the sender. Every kernel has them. They cannot drop a share. */
final class RouteFilter implements PacketFilter {
  private static final int PROTOCOL = 77;

  @Override
  public String name() {
    return "ip route";
  }

  @Override
  public boolean canLose() {
    return false;
  }

  @Override
  public void prepare(int replica) {
    // Every namespace has a table of routes.
  }

  @Override
  public void drop(int from, int to, int percent) throws IOException, InterruptedException {
    if (percent != 100) {
      throw new IOException("Loss of packets needs nft or iptables.");
    }
    Shell.run("ip -n " + TestNetwork.namespace(from) + " route replace blackhole " + TestNetwork.address(to) + "/32 proto " + PROTOCOL);
  }

  @Override
  public void clear(int replica) throws IOException, InterruptedException {
    Shell.run("ip -n " + TestNetwork.namespace(replica) + " route flush proto " + PROTOCOL);
  }
}
