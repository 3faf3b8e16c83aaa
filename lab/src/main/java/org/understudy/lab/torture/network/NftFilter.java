package org.understudy.lab.torture.network;

import java.io.IOException;

/** By nftables. */
final class NftFilter implements PacketFilter {
  @Override
  public String name() {
    return "nft";
  }

  @Override
  public boolean canLose() {
    return true;
  }

  @Override
  public void prepare(int replica) throws IOException, InterruptedException {
    String nft = "ip netns exec " + TestNetwork.namespace(replica) + " nft ";
    Shell.run(nft + "add table ip faults");
    Shell.run(nft + "add chain ip faults in { type filter hook input priority 0 ; }");
  }

  @Override
  public void drop(int from, int to, int percent) throws IOException, InterruptedException {
    String share = percent == 100 ? "" : " numgen random mod 100 < " + percent;
    Shell.run("ip netns exec " + TestNetwork.namespace(to) + " nft add rule ip faults in ip saddr " + TestNetwork.address(from)
        + share + " drop");
  }

  @Override
  public void clear(int replica) throws IOException, InterruptedException {
    Shell.run("ip netns exec " + TestNetwork.namespace(replica) + " nft flush chain ip faults in");
  }
}
