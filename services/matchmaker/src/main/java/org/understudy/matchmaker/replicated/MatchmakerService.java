package org.understudy.matchmaker.replicated;

import jakarta.jws.WebService;
import org.understudy.matchmaker.service.AccountSetState;
import org.understudy.matchmaker.service.MachineQueueState;
import org.understudy.matchmaker.service.Matchmaker;
import org.understudy.replication.api.ReplicatedState;
import org.understudy.replication.api.ResourceHome;
import org.understudy.replication.api.Topics;
import org.understudy.replication.api.property.ResourceProperties;

/** The Matchmaker as one replicated resource: both of its state objects are captured after each update. */
@WebService(
    endpointInterface = "org.understudy.matchmaker.MatchmakerPortType",
    targetNamespace = "urn:understudy:matchmaker:1",
    serviceName = "MatchmakerService",
    portName = "MatchmakerPort",
    wsdlLocation = "classpath:wsdl/matchmaker.wsdl")
@ReplicatedState(types = {MachineQueueState.class, AccountSetState.class})
@ResourceProperties(namespace = "urn:understudy:matchmaker:1", document = "MatchmakerProperties")
@Topics(
    namespace = "urn:understudy:matchmaker:1",
    value = {"MachineAdvertised", "MachineReleased", "MachineExpired", "JobAllocated"})
public class MatchmakerService extends Matchmaker {
  /** @param home of this service, by which it publishes changes */
  public MatchmakerService(ResourceHome<MatchmakerService> home) {
    super(new MachineQueueState(), new AccountSetState(), home);
  }
}
