package org.understudy.replication.runtime.strategy;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.understudy.replication.core.Capability;
import org.understudy.replication.core.ReplicationStrategy;
import org.understudy.replication.runtime.channel.GroupChannelProvider;

/** Compares what a strategy requires with what a deployment offers. */
public final class Requirements {
  private Requirements() {}

  /**
   * @throws UnavailableException when the deployment lacks anything that the strategy requires; one line names all that is
   *     missing, and what to do for each
   */
  public static void check(ReplicationStrategy strategy, Set<Capability> offered) throws UnavailableException {
    Set<Capability> missing = EnumSet.noneOf(Capability.class);
    missing.addAll(strategy.requires());
    if (!strategy.records().isEmpty()) {
      missing.add(Capability.STABLE_STORAGE);
    }
    missing.removeAll(offered);
    if (missing.isEmpty()) {
      return;
    }
    List<String> remedies = new ArrayList<>();
    missing.forEach(capability -> remedies.add(remedy(capability)));
    throw new UnavailableException(
        "The strategy " + strategy.name() + " (understudy.strategy) cannot run here. It requires "
            + String.join("; and ", remedies) + ". Or set another strategy.");
  }

  private static String remedy(Capability capability) {
    return switch (capability) {
      case STATE_CAPTURE ->
          "state that can be captured: let the service mark its state with @ReplicatedState, implement StateCapture or name its"
              + " @ResourceState";
      case DETERMINISM ->
          "a deterministic service: annotate its class with @Deterministic, if equal requests in an equal order always lead"
              + " to equal states and responses";
      case STABLE_STORAGE -> "stable storage: set understudy.directory";
      case PEER_CHANNEL -> "a channel to each other replica: set understudy.peers";
      case GROUP_CHANNEL ->
          "a group channel: add the jar of one (a provider of " + GroupChannelProvider.class.getName()
              + ") to WEB-INF/lib";
    };
  }
}
