package org.understudy.replication.runtime.strategy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.understudy.replication.api.View;
import org.understudy.replication.core.Assignment;
import org.understudy.replication.core.Capability;
import org.understudy.replication.core.ReplicaCore;
import org.understudy.replication.core.ReplicaSetup;
import org.understudy.replication.core.ReplicationStrategy;
import org.understudy.replication.core.channel.GroupChannel;
import org.understudy.replication.core.group.GroupReplication;
import org.understudy.replication.core.membership.MembershipRecord;
import org.understudy.replication.core.primarybackup.PrimaryBackup;
import org.understudy.replication.core.primarybackup.Unreplicated;
import org.understudy.replication.core.record.RecordKind;
import org.understudy.replication.runtime.channel.GroupChannelProvider;
import org.understudy.replication.runtime.channel.GroupChannelSettings;
import org.understudy.test.channel.MemoryGroups;
import org.understudy.test.strategy.StepStrategy;

class InstalledTest {
  /** Requires everything. */
  private static final class Demanding implements ReplicationStrategy {
    @Override
    public String name() {
      return "demanding";
    }

    @Override
    public Set<Capability> requires() {
      return EnumSet.allOf(Capability.class);
    }

    @Override
    public Assignment assign(View view) {
      return Assignment.ofPrimary(view);
    }

    @Override
    public ReplicaCore open(ReplicaSetup setup) {
      throw new AssertionError("Nothing opens it.");
    }
  }

  /** Stores records without requiring stable storage. */
  private static final class Storing implements ReplicationStrategy {
    @Override
    public String name() {
      return "storing";
    }

    @Override
    public Set<Capability> requires() {
      return Set.of();
    }

    @Override
    public Set<RecordKind<?>> records() {
      return Set.of(MembershipRecord.KIND);
    }

    @Override
    public Assignment assign(View view) {
      return Assignment.ofPrimary(view);
    }

    @Override
    public ReplicaCore open(ReplicaSetup setup) {
      throw new AssertionError("Nothing opens it.");
    }
  }

  private static void refused(String line, Executable what) {
    String message = assertThrows(UnavailableException.class, what).getMessage();
    assertEquals(1, message.lines().count());
    assertEquals(line, message);
  }

  @Test
  void strategiesAreFoundByName() throws Exception {
    Installed installed = Installed.in(InstalledTest.class.getClassLoader());
    assertInstanceOf(PrimaryBackup.class, installed.strategy("primary-backup"));
    assertInstanceOf(GroupReplication.class, installed.strategy("group"));
    assertInstanceOf(Unreplicated.class, installed.strategy("none"));
    refused(
        "understudy.strategy is paxos, and no such strategy is installed; installed are group, none, primary-backup."
            + " Name one of these, or add the jar of paxos to WEB-INF/lib.",
        () -> installed.strategy("paxos"));
  }

  @Test
  void duplicateNamesAreRefused() {
    refused(
        "Two strategies have the name step: org.understudy.test.strategy.StepStrategy and"
            + " org.understudy.test.strategy.StepStrategy. Remove the jar of one of them.",
        () -> Installed.of(
            List.of(new StepStrategy((input, out) -> {}), new StepStrategy((input, out) -> {})), List.of()));
  }

  @Test
  void channelIsChosenByItsName() throws Exception {
    GroupChannelProvider memory = new Memory();
    Installed installed = Installed.of(List.of(), List.of(memory));
    assertNull(installed.groupChannel(new GroupReplication(), "log"));
    assertEquals(memory, installed.groupChannel(new GroupReplication(), "memory"));
    assertNull(installed.groupChannel(new PrimaryBackup(), "log"));
    refused(
        "understudy.channel is jgroups, and no such group channel is installed; installed are memory. Add understudy-channel-jgroups"
            + " and its dependencies to WEB-INF/lib, or set understudy.channel=log.",
        () -> installed.groupChannel(new GroupReplication(), "jgroups"));
    refused(
        "understudy.channel is pigeons, and no such group channel is installed; installed are memory. Name one of these, or log,"
            + " jgroups, or spread.",
        () -> installed.groupChannel(new GroupReplication(), "pigeons"));
    refused(
        "understudy.channel is memory, and the strategy primary-backup takes no group channel. Remove understudy.channel, or set"
            + " understudy.strategy=group.",
        () -> installed.groupChannel(new PrimaryBackup(), "memory"));
  }

  @Test
  void strategyThatRequiresAChannelGetsTheOnlyOne() throws Exception {
    GroupChannelProvider memory = new Memory();
    assertEquals(memory, Installed.of(List.of(), List.of(memory)).groupChannel(new Demanding(), "log"));
    assertNull(Installed.of(List.of(), List.of()).groupChannel(new Demanding(), "log"));
  }

  @Test
  void missingCapabilitiesAreNamedWithRemedies() throws Exception {
    Requirements.check(new Demanding(), EnumSet.allOf(Capability.class));
    Requirements.check(new Unreplicated(), Set.of());
    refused(
        "The strategy primary-backup (understudy.strategy) cannot run here. It requires stable storage: set"
            + " understudy.directory; and a channel to each other replica: set understudy.peers. Or set another strategy.",
        () -> Requirements.check(new PrimaryBackup(), Set.of(Capability.STATE_CAPTURE)));
    refused(
        "The strategy demanding (understudy.strategy) cannot run here. It requires state that can be captured: let the service"
            + " mark its state with @ReplicatedState, implement StateCapture or name its @ResourceState;"
            + " and a deterministic service: annotate its class with"
            + " @Deterministic, if equal requests in an equal order always lead to equal states and responses; and a group"
            + " channel: add the jar of one (a provider of org.understudy.replication.runtime.channel.GroupChannelProvider) to"
            + " WEB-INF/lib. Or set another strategy.",
        () -> Requirements.check(new Demanding(), Set.of(Capability.PEER_CHANNEL, Capability.STABLE_STORAGE)));
  }

  @Test
  void strategyWithRecordsRequiresStableStorage() throws Exception {
    Storing storing = new Storing();
    Requirements.check(storing, Set.of(Capability.STABLE_STORAGE));
    refused(
        "The strategy storing (understudy.strategy) cannot run here. It requires stable storage: set understudy.directory. Or"
            + " set another strategy.",
        () -> Requirements.check(storing, Set.of()));
  }

  private static final class Memory implements GroupChannelProvider {
    @Override
    public String name() {
      return "memory";
    }

    @Override
    public GroupChannel open(GroupChannelSettings settings) {
      return MemoryGroups.of(settings.group()).channel(settings.self());
    }
  }
}
