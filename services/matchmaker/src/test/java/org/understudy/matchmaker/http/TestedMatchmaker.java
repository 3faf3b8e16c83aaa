package org.understudy.matchmaker.http;

import jakarta.jws.WebService;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.understudy.matchmaker.replicated.MatchmakerService;
import org.understudy.matchmaker.service.AccountSetState;
import org.understudy.matchmaker.service.MachineQueueState;
import org.understudy.replication.api.ReplicatedState;
import org.understudy.replication.api.ResourceHome;
import org.understudy.replication.api.Topics;
import org.understudy.replication.api.property.ResourceProperties;

/** The service of the web archive, with a time and a choice that the test controls. */
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
public class TestedMatchmaker extends MatchmakerService {
  /** What is added to the time. */
  static final AtomicLong AHEAD_MS = new AtomicLong();
  /** The first choice after this was set signals {@link #CHOOSING} and waits for {@link #GO}. */
  static final AtomicBoolean HOLD = new AtomicBoolean();
  static final Semaphore CHOOSING = new Semaphore(0);
  /** The address of the service at the replica whose choice waits. */
  static final AtomicReference<String> HELD_AT = new AtomicReference<>();
  static final Semaphore GO = new Semaphore(0);

  private final ResourceHome<MatchmakerService> home;

  public TestedMatchmaker(ResourceHome<MatchmakerService> home) {
    super(home);
    this.home = home;
  }

  @Override
  protected long now() {
    return System.currentTimeMillis() + AHEAD_MS.get();
  }

  @Override
  protected int choose(int bound) {
    if (HOLD.compareAndSet(true, false)) {
      HELD_AT.set(home.address("any"));
      CHOOSING.release();
      GO.acquireUninterruptibly();
    }
    return ThreadLocalRandom.current().nextInt(bound);
  }
}
