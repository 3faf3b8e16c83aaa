package org.understudy.channel.jgroups;

import java.util.List;
import org.jgroups.Address;
import org.jgroups.conf.ClassConfigurator;
import org.jgroups.protocols.TCPPING;
import org.jgroups.util.Responses;

/**
 * Finds members at the addresses that the configured names have now. JGroups' own class resolves names when the channel is opened, or
 * until each has an address.
 */
final class PeerPing extends TCPPING {
  private final ReplicaAddresses addresses;

  PeerPing(ReplicaAddresses addresses) {
    this.addresses = addresses;
    // JGroups has numbers for classes of its own, and headers carry them.
    setId(ClassConfigurator.getProtocolId(TCPPING.class));
  }

  @Override
  public void findMembers(List<Address> members, boolean initialDiscovery, Responses responses) {
    setInitialHosts(addresses.reachable());
    super.findMembers(members, initialDiscovery, responses);
  }
}
