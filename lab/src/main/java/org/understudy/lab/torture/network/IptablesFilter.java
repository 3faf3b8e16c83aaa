package org.understudy.lab.torture.network;

import java.io.IOException;

/** By iptables. */
final class IptablesFilter implements PacketFilter {
  @Override
  public String name() {
    return "iptables";
  }

  @Override
  public boolean canLose() {
    return true;
  }

  @Override
  public void prepare(int replica) {
    // The chain INPUT exists.
  }

  @Override
  public void drop(int from, int to, int percent) throws IOException, InterruptedException {
    String share = percent == 100 ? "" : " -m statistic --mode random --probability " + percent / 100.0;
    Shell.run("ip netns exec " + TestNetwork.namespace(to) + " iptables -A INPUT -s " + TestNetwork.address(from) + share
        + " -j DROP");
  }

  @Override
  public void clear(int replica) throws IOException, InterruptedException {
    Shell.run("ip netns exec " + TestNetwork.namespace(replica) + " iptables -F INPUT");
  }
}
